import {
  completeFlow,
  type Flow,
  type FlowInput,
  type LapsePolicy,
  type PartInput,
  type StepInput,
} from '../../src/engine/flows/flow.ts'
import type { PoolEntry } from '../../src/engine/flows/rows.ts'
import { poolOf } from '../flow-table.ts'
import type { Chance } from './random-play.ts'

/** Random flows, valid and invalid; a referee can act where no seat can. */
export function anyFlow(chance: Chance): { readonly flow: Flow; readonly pool: readonly PoolEntry[] } {
  const of = <T>(...from: readonly T[]): T => from[Math.floor(chance() * from.length)] as T
  const maybe = (share: number) => chance() < share
  const seats = maybe(0.75) ? 2 : of(3, 4)
  const pairs = seats === 2 ? of<readonly string[]>([], ['order'], ['ban', 'pick']) : []
  const actor = (): string | readonly string[] =>
    maybe(0.15)
      ? ['leader', 'lastMapLoser', 'seat:1']
      : of<string>(
          ...['seat:1', 'seat:2', 'higherSeed', 'lowerSeed', 'rollWinner', 'rollLoser', 'referee', 'lastMapWinner'],
          ...['trailer', 'all', 'it', ...pairs.flatMap((pair) => [`${pair}:1`, `${pair}:2`])],
        )
  const policy = (...more: readonly LapsePolicy[]): Partial<StepInput> =>
    maybe(0.6) ? { seconds: 30, onTimeout: maybe(0.4) ? [of('again', ...more), of(...more)] : of(...more) } : {}
  const choosing = () => policy('skip', 'random', 'forfeit', 'hold', ...(seats === 2 ? ['opponent' as const] : []))
  const from = (): Partial<StepInput> =>
    maybe(0.6)
      ? {}
      : of<Partial<StepInput>>(
          { from: { flairs: ['tech', 'speed'] } },
          { from: { exceptFlairs: ['acc'] } },
          { from: { tiebreakers: true } },
          { limits: [{ other_flair_than: 'own_last' }] },
          { limits: [{ other_flair_than: 'own_all', except: ['tech'] }] },
        )
  const when = (): Partial<StepInput> =>
    maybe(0.85) ? {} : { when: of('all_at_match_point', 'not_all_at_match_point') }
  const secret = (): Partial<StepInput> => (maybe(0.3) ? { actor: 'all', secret: true } : {})
  const choice = (): StepInput =>
    of<() => StepInput>(
      () => ({ action: 'random', ...from() }),
      () => ({ action: 'tiebreaker', source: of('flagged', 'last_left'), ...when() }),
      () => ({ action: 'protect', actor: actor(), ...choosing(), ...secret() }),
      () => ({ action: 'ban', actor: actor(), ...choosing(), ...from(), ...when(), ...secret(), times: of(1, 1, 2) }),
      () => ({ action: 'ban', actor: actor(), ...choosing(), ...from() }),
      () => ({ action: of('flair_pick', 'flair_ban'), actor: actor(), ...choosing() }),
      () => ({ action: 'lineup', ...policy('hold', 'lose_map'), ...(maybe(0.3) ? { secret: true } : {}) }),
      () => ({ action: 'ready', ...policy('proceed', 'lose_map') }),
      () => ({ action: 'break', seconds: 20 }),
    )()
  const pick = (): StepInput => ({ action: 'pick', actor: actor(), ...choosing(), ...from(), ...when() })
  const round = (): PartInput[] => [
    ...(maybe(0.4) ? [choice()] : []),
    pick(),
    ...(maybe(0.3) ? [choice()] : []),
    ...(maybe(0.9) ? [{ action: 'play' } as const] : []),
  ]
  const each = () => of('lowest_seed_first', 'highest_seed_first', 'last_first', ...pairs)
  const steps: PartInput[] = [
    ...(maybe(0.7) ? [{ action: 'roll', actor: of('system', 'referee') } as const] : []),
    ...pairs.map(
      (pair): PartInput => ({ action: 'choose', actor: of('seat:1', 'rollWinner', 'system'), pair, ...choosing() }),
    ),
    ...(maybe(0.4) ? [{ each: each(), steps: [choice(), { ...pick(), actor: 'it' }] }] : []),
    ...(maybe(0.3) ? [choice()] : []),
    { repeat: 'until_decided', steps: [...round(), ...(maybe(0.4) ? [{ each: each(), steps: round() }] : round())] },
  ]
  const maps = of(4, 8, 14)
  const rules: FlowInput['rules'] = {
    play: maybe(0.3) ? { mode: 'play_all', maps: of(1, 3) } : { mode: 'best_of' },
    map: { by: of('score', 'accuracy', 'misses'), team: of('sum', 'mean', 'top'), top: of(1, 2), players: of(1, 2) },
    zero: of([], ['failed'], ['failed', 'quit']),
    pauseLimitSeconds: of(null, 10),
    // Whether a level map may be given up depends on later steps, which the second implementation does not check.
    tie: of(['replay'], ['best_player', 'replay'], []),
    tieReplays: of(1, 2),
    decide: of('score_sum', 'wins', 'points'),
    points: [5, 3, 2, 0],
    replays: {
      rule: seats === 2 ? of('none', 'better_of_each', 'score_to_beat', 'last_counts') : of('none', 'better_of_each'),
      perMatch: of(1, 2),
      perMap: of(1, 2),
      by: of('team', 'player'),
      windowSeconds: 60,
    },
    technical: { perMatch: of(null, 1), counts: of('replace', 'better') },
    lineup: { changes: of('per_map', 'per_match') },
    protects: of('opponents', 'everybody'),
  }
  const flairs = ['tech', 'speed', 'acc', undefined]
  const pool = poolOf(maps, (number) => {
    const flair = flairs[number % 4]
    return { isTiebreaker: number === maps, ...(flair === undefined ? {} : { flair }) }
  })
  return { flow: completeFlow({ seats, bestOf: of(1, 3, 5), pairs, steps, rules }), pool }
}
