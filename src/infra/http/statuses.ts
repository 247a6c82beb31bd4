import type { Operation } from '../../core/operation.ts'
import type { Problem, ProblemKind } from '../../core/problem.ts'

/** From the domain's words to HTTP's numbers. (D4, D5, D10) */

const statusOfKind: Readonly<Record<ProblemKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  timeout: 408,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  limited: 429,
  unavailable: 503,
}

/**
 * The status of a problem on an operation. A code that the operation lists has the listed status. Records that the
 * address or body names and that do not exist, and roles that do not suffice, follow the row's own rule.
 */
export function statusOf(problem: Problem, operation: Operation | undefined): number {
  const listed = operation?.problems?.[problem.code]
  if (listed !== undefined) return listed
  if (problem.code === 'token.missing' && operation?.missingToken) return operation.missingToken
  if (problem.kind === 'missing' && operation?.unknown) return operation.unknown
  if (problem.kind === 'forbidden' && operation?.forbidden) return operation.forbidden
  return statusOfKind[problem.kind]
}

/** Codes that the kernel itself answers, wherever they apply; slices declare all others in their records. */
const kernelCodes: ReadonlySet<string> = new Set([
  'request.invalid',
  'request.unknown_member',
  'request.malformed',
  'request.unsupported_type',
  'request.too_large',
  'request.timeout',
  'request.limited',
  'request.cross_site',
  'cursor.invalid',
  'token.missing',
  'token.invalid',
  'scope.missing',
  'role.missing',
  'route.unknown',
])

/** Whether the operation's record tells of this problem: undeclared ones are defects. (architecture: closed by default) */
export function isDeclared(problem: Problem, operation: Operation): boolean {
  return (
    kernelCodes.has(problem.code) ||
    problem.code.endsWith('.unknown') ||
    operation.problems?.[problem.code] !== undefined
  )
}
