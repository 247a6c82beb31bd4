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
  unmet_expectation: 417,
  limited: 429,
  headers_too_large: 431,
  unavailable: 503,
}

/**
 * The status of a problem on an operation. A code that the operation lists has the listed status. Records that the
 * address or body names and that do not exist, and roles that do not suffice, follow the row's own rule.
 */
export function statusOf(problem: Problem, operation: Operation | undefined): number {
  return status(problem.code, problem.kind, operation)
}

/** The same for a code that the kernel or the record tells of, before anything went wrong. */
export function statusOfCode(code: string, operation: Operation): number {
  if (code === 'service.failed') return 500
  return status(code, kernelCodes[code] ?? (code.endsWith('.unknown') ? 'missing' : 'invalid'), operation)
}

function status(code: string, kind: ProblemKind, operation: Operation | undefined): number {
  const listed = operation?.problems?.[code]
  if (listed !== undefined) return listed
  if (code === 'token.missing' && operation?.missingToken) return operation.missingToken
  if (kind === 'missing' && operation?.unknown) return operation.unknown
  if (kind === 'forbidden' && operation?.forbidden) return operation.forbidden
  return statusOfKind[kind]
}

/** Codes that the kernel itself answers, wherever they apply; slices declare all others in their records. */
const kernelCodes: Readonly<Record<string, ProblemKind>> = {
  'request.invalid': 'invalid',
  'request.unknown_member': 'invalid',
  'request.malformed': 'invalid',
  'request.unsupported_type': 'unsupported_type',
  'request.too_large': 'too_large',
  'request.timeout': 'timeout',
  'request.limited': 'limited',
  'request.expectation': 'unmet_expectation',
  'request.cross_site': 'forbidden',
  'cursor.invalid': 'invalid',
  'token.missing': 'unauthenticated',
  'token.invalid': 'unauthenticated',
  'scope.missing': 'unauthenticated',
  'role.missing': 'forbidden',
  'route.unknown': 'missing',
  'service.busy': 'unavailable',
  'service.unavailable': 'unavailable',
}

/** Whether the operation's record tells of this problem: undeclared ones are defects. (architecture: closed by default) */
export function isDeclared(problem: Problem, operation: Operation): boolean {
  const { code } = problem
  return code in kernelCodes || code.endsWith('.unknown') || operation.problems?.[code] !== undefined
}
