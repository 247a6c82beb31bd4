import type { Operation } from '../../../core/operation.ts'
import { notReady, Problem } from '../../../core/problem.ts'
import { isUnreachable } from '../../db/unreachable.ts'
import { statusOf } from '../../http/statuses.ts'

/** The error packet for a failed request, with the status, code and message of REST. (D10) */
export function refusalOf(error: unknown, id: string | number | undefined, operation?: Operation): object {
  const problem = error instanceof Problem ? error : isUnreachable(error) ? notReady() : failed()
  const { code, message, data, headers } = problem
  const retryAfter = Number(headers['retry-after'])
  return {
    type: 'error',
    ...(id === undefined ? {} : { id }),
    status: code === 'service.failed' ? 500 : statusOf(problem, operation),
    code,
    message,
    ...(data === undefined ? {} : { data }),
    ...(Number.isFinite(retryAfter) ? { retryAfterMs: retryAfter * 1000 } : {}),
  }
}

function failed(): Problem {
  return new Problem('unavailable', 'service.failed', 'Something went wrong on our side.')
}
