import type { UserCard } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import type { Report } from '../../data/reports/types.ts'

/** Who has told the result that the service has, and when; undefined where that cannot be found. (W10) */

export interface Told {
  readonly by: UserCard
  readonly at: string
}

export function useTold({ tournament, match, game, request }: Report): Told | undefined {
  const { flowSession } = request.params
  const isOfSession = flowSession !== undefined
  const audit = useRead(
    isOfSession ? null : address('/tournaments/{tournament}/audit', { tournament }, { subject: match, limit: 50 }),
  )
  const log = useRead(
    isOfSession
      ? address(
          '/tournaments/{tournament}/flow-sessions/{flowSession}/log',
          { tournament, flowSession },
          { limit: 500 },
        )
      : null,
  )
  const entry = audit.data?.entries.find(({ after }) =>
    (after?.games as readonly { readonly number: number }[] | undefined)?.some(({ number }) => number === game),
  )
  const row = log.data?.rows.findLast(
    ({ kind, data }) => kind === 'scores' && (data as { readonly game?: number }).game === game,
  )
  const by = entry?.actor ?? row?.by
  const at = entry?.at ?? row?.at
  return by == null || at === undefined ? undefined : { by, at }
}
