import type { Operation } from '../../core/operation.ts'
import { conditionCheck, previewCheck, queryCheck } from './validate.ts'

/** Checks the query of an operation; members that it does not declare are dropped, and refused where they would matter. */
export function queryReader(operation: Operation): (query: unknown) => unknown {
  const check = operation.query === undefined ? () => ({}) : queryCheck(operation.query)
  if (operation.kind === 'query') return check
  const refusePreview = previewCheck(operation.query, 'query', operation.body)
  const refuseMisplaced = conditionCheck(operation.query, operation.body)
  return (query) => {
    refusePreview(query)
    refuseMisplaced(query)
    return check(query)
  }
}
