import { useMemo } from 'react'
import type { Channel } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { type CodeOf, useMatchCodes, useTournament, useTournamentId } from '../../data/tournament.ts'
import { type RoundOf, useRoundNames } from '../../parts/rounds.ts'
import { availabilityAddress, useMatches } from '../matches.ts'
import { answersIn } from './answers.ts'
import type { Board, Rules } from './clashes.ts'

/** All matches with their times, as those who plan them see them now, and what their times depend on. */

export interface Plan extends Board {
  readonly zone: string
  readonly channels: readonly Channel[]
  /** Of the matches with that address, by it. */
  readonly channelByUrl: ReadonlyMap<string, Channel>
  readonly roundOf: RoundOf
  readonly codeOf: CodeOf
}

export function usePlan(rules: Rules) {
  const tournament = useTournamentId()
  const record = useTournament()
  const matches = useMatches()
  const roundOf = useRoundNames()
  const codeOf = useMatchCodes()
  const channels = useRead(address('/tournaments/{tournament}/channels', { tournament }), { live: true })
  // Without the answers, everything else can still be planned.
  const state = useRead(availabilityAddress(tournament), { live: true })
  const answers = useMemo(() => answersIn(state.data), [state.data])
  const { minutes, rest } = rules
  const plan = useMemo((): Plan | undefined => {
    if (record.data === undefined || matches.data === undefined || channels.data === undefined) return undefined
    const { startsAt, endsAt, timezone } = record.data
    return {
      matches: matches.data,
      byGuid: new Map(matches.data.map((match) => [match.guid, match])),
      answers,
      rules: { minutes, rest },
      startsAt,
      endsAt,
      zone: timezone,
      channels: channels.data.channels,
      channelByUrl: new Map(channels.data.channels.map((channel) => [channel.url, channel])),
      roundOf,
      codeOf,
    }
  }, [record.data, matches.data, channels.data, answers, minutes, rest, roundOf, codeOf])
  const failed = [record, matches, channels].find(({ error, data }) => error !== null && data === undefined)
  return {
    plan: {
      data: plan,
      error: failed?.error ?? null,
      isFetching: failed?.isFetching ?? false,
      refetch: () => {
        for (const each of [record, matches, channels]) if (each.data === undefined) void each.refetch()
      },
    },
    sheets: state,
  }
}
