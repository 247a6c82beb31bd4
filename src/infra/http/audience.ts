import type { Operation } from '../../core/operation.ts'
import type { Asking } from './request.ts'

/** Those who get the same answer as the caller; null where an answer is for one caller alone. */
export function audienceOf(
  operation: Operation,
  { actor, records, beside }: Pick<Asking['state'], 'actor' | 'records' | 'beside'>,
): string | null {
  if (operation.kind !== 'query') return null
  return operation.audience?.(actor, beside === null ? records : { ...records, ...beside }) ?? null
}
