import type { Operation } from '../../core/operation.ts'
import type { Problem, ProblemKind } from '../../core/problem.ts'

/** Maps the domain's problems to HTTP status numbers. (D4, D5, D10) */

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
 * The status of a problem in an operation. A code that the operation lists has the listed status. Missing records and
 * insufficient roles have the status that the operation's row sets for them.
 */
export function statusOf({ code, kind }: Problem, operation: Operation | undefined): number {
  return statusOfCode(code, kind, operation)
}

/** Like `statusOf`, for a code and its kind without an actual problem. */
export function statusOfCode(code: string, kind: ProblemKind, operation: Operation | undefined): number {
  const listed = operation?.problems?.[code]
  if (listed !== undefined) return listed
  if (code === 'token.missing' && operation?.missingToken) return operation.missingToken
  if (kind === 'missing' && operation?.unknown) return operation.unknown
  if (kind === 'forbidden' && operation?.forbidden) return operation.forbidden
  return statusOfKind[kind]
}
