import { describe, expect, test } from 'vitest'
import { FlowTable, player, poolOf, referee, refusal } from '../../../test/flow-table.ts'
import type { FlowInput, PartInput } from './flow.ts'

/** Refused calls and their problem codes. (match-flows: Operations) */

function table(steps: readonly PartInput[], rules: FlowInput['rules'] = {}, players = 1): FlowTable {
  const pool = poolOf(8, (number) => ({ flair: number % 2 === 0 ? 'even' : 'odd', isTiebreaker: number === 8 }))
  return new FlowTable({
    flow: { bestOf: 3, pairs: ['order'], steps, rules: { replays: { rule: 'none' }, ...rules } },
    pool,
    players,
  })
}

const play = { repeat: 'until_decided', steps: [{ action: 'random' }, { action: 'play' }] } as const

describe('refused', () => {
  test('acts out of turn, of another kind, and on maps that are not legal', () => {
    const session = table([
      { action: 'protect', actor: 'seat:1' },
      { action: 'ban', actor: 'seat:2' },
      { action: 'pick', actor: 'seat:2', from: { flairs: ['odd'] } },
      { action: 'pick', actor: 'seat:2', limits: [{ other_flair_than: 'own_last' }] },
      { action: 'flair_ban', actor: 'seat:1' },
      { action: 'choose', actor: 'seat:1', pair: 'order' },
      { action: 'pick', actor: 'referee' },
    ])
    const act = (who: number | string, action: 'protect' | 'ban' | 'pick', map?: string) =>
      refusal(() => session.act(who, { action, ...(map === undefined ? {} : { map }) }))
    expect(act(2, 'protect', 'm1')).toBe('flow.not_your_turn')
    expect(act('nobody', 'protect', 'm1')).toBe('flow.not_your_turn')
    expect(act(1, 'ban', 'm1')).toBe('flow.wrong_action')
    expect(act(1, 'protect')).toBe('flow.act_invalid')
    expect(act(1, 'protect', 'no-such-map')).toBe('flow.map_illegal not_in_pool')
    expect(act(1, 'protect', 'm8')).toBe('flow.map_illegal tiebreaker')
    expect(refusal(() => session.act(1, { action: 'accept' }))).toBe('flow.wrong_action')
    expect(act(1, 'protect', 'm1')).toBeNull()
    expect(act(2, 'ban', 'm1')).toBe('flow.map_illegal protected')
    expect(act(2, 'ban', 'm3')).toBeNull()
    expect(act(2, 'pick', 'm3')).toBe('flow.map_illegal banned')
    expect(act(2, 'pick', 'm2')).toBe('flow.map_illegal flair')
    expect(act(2, 'pick', 'm5')).toBeNull()
    expect(act(2, 'pick', 'm5')).toBe('flow.map_illegal taken')
    expect(act(2, 'pick', 'm7')).toBe('flow.map_illegal limit')
    expect(act(referee, 'pick', 'm2')).toBeNull()
    expect(session.rows.at(-1)).toMatchObject({ seat: 2, onBehalf: true })
    expect(refusal(() => session.act(1, { action: 'flair_ban', flair: 'none' }))).toBe('flow.map_illegal flair')
    session.act(1, { action: 'flair_ban', flair: 'even' })
    expect(refusal(() => session.act(1, { action: 'choose' }))).toBe('flow.act_invalid')
    expect(refusal(() => session.act(1, { action: 'choose', place: 1, pair: 'other' }))).toBe('flow.wrong_action')
    session.act(1, { action: 'choose', place: 2 })
    expect(act(1, 'pick', 'm7')).toBe('flow.not_your_turn')
    expect(act(referee, 'pick', 'm4')).toBe('flow.map_illegal flair')
    expect(act(referee, 'pick', 'm7')).toBeNull()
    expect(session.rows.at(-1)).toMatchObject({ seat: null, onBehalf: false })
  })

  test('scores, claims, technical replays and penalties that cannot be', () => {
    const choosing = table([{ action: 'ban', actor: 'seat:1' }, play])
    expect(refusal(() => choosing.scores(1, 2))).toBe('flow.wrong_action')
    expect(refusal(() => choosing.technical(1))).toBe('technical.no_map')
    expect(refusal(() => choosing.claim(1))).toBe('claim.not_entitled')
    expect(refusal(() => choosing.cancel('none'))).toBe('claim.unknown')
    const session = table([play], { technical: { perMatch: 1 } })
    const [report] = session.reports([900])
    if (report === undefined) throw new Error('nobody plays')
    const given = (more: object, run?: number) =>
      refusal(() =>
        session.report({ scores: [{ ...report, ...more }], complete: false, ...(run === undefined ? {} : { run }) }),
      )
    expect(given({ user: 'nobody' })).toBe('score.user_unknown')
    expect(given({ user: undefined, seat: 1 })).toBe('score.user_unknown')
    expect(given({}, 2)).toBe('score.run_unknown')
    expect(refusal(() => session.correct('none', { score: 1 }))).toBe('score.unknown')
    session.scores(900, 800)
    expect(refusal(() => session.technical())).toBe('flow.act_invalid')
    expect(refusal(() => session.technical(3))).toBe('flow.act_invalid')
    session.technical(2)
    expect(refusal(() => session.technical(2))).toBe('technical.none_left')
    session.scores(null, 850)
    const penalty = (more: object) => refusal(() => session.penalty({ seat: 1, type: 'warning', ...more }))
    expect(penalty({ type: 'score_zero' })).toBe('penalty.invalid')
    expect(penalty({ type: 'exclude', user: player(2) })).toBe('penalty.invalid')
    expect(penalty({ type: 'map_loss', game: 9 })).toBe('penalty.invalid')
    expect(penalty({ type: 'points', points: 1 })).toBe('penalty.invalid')
    expect(penalty({ seat: 3 })).toBe('flow.act_invalid')
    expect(refusal(() => session.voidPenalty('none'))).toBe('penalty.unknown')
    const guid = session.penalty({ seat: 1, type: 'warning' })
    session.voidPenalty(guid)
    expect(refusal(() => session.voidPenalty(guid))).toBe('penalty.voided')
    session.scores(900, 800)
    expect(session.state.status).toBe('over')
    expect(refusal(() => session.scores(1, 2))).toBe('flow.over')
    expect(refusal(() => session.claim(2))).toBe('flow.over')
    expect(refusal(() => session.technical(1))).toBe('flow.match_completed')
    expect(refusal(() => session.undo())).toBe('flow.match_completed')
    expect(refusal(() => session.act(1, { action: 'present' }))).toBe('flow.over')
    expect(refusal(() => session.override({ op: 'skip' }))).toBe('flow.over')
  })

  test('undoing what is not theirs, or too late', () => {
    const steps = [{ action: 'ban', actor: 'seat:1' }, { action: 'ban', actor: 'seat:2' }, play] as const
    const session = table(steps, { selfUndoSeconds: 5 })
    expect(refusal(() => session.undo())).toBe('flow.nothing_to_undo')
    session.act(1, { action: 'ban', map: 'm1' })
    expect(refusal(() => session.undo(2))).toBe('flow.nothing_to_undo')
    session.undo(1)
    session.act(1, { action: 'ban', map: 'm2' })
    session.now += 5_000
    expect(refusal(() => session.undo(1))).toBe('flow.nothing_to_undo')
    session.undo()
    expect(session.state.maps.map(({ state }) => state)).not.toContain('banned')
  })

  test('undoing by those who have seen what came of it', () => {
    const rules = { selfUndoSeconds: 60 }
    const secret = table(
      [{ action: 'ban', actor: 'all', secret: true }, { action: 'ban', actor: 'seat:1' }, play],
      rules,
    )
    secret.act(1, { action: 'ban', map: 'm1' })
    secret.undo(1)
    secret.act(1, { action: 'ban', map: 'm2' })
    secret.act(2, { action: 'ban', map: 'm3' })
    // Seat 2 knows by now what seat 1 has banned. A referee may still undo its ban.
    expect(refusal(() => secret.undo(2))).toBe('flow.nothing_to_undo')
    secret.undo()
    expect(secret.state.turn).toMatchObject({ seats: [2] })
    const drawn = table([{ action: 'ban', actor: 'seat:1' }, { action: 'random' }, play], rules)
    drawn.act(1, { action: 'ban', map: 'm1' })
    expect(drawn.rows.at(-1)).toMatchObject({ kind: 'random' })
    expect(refusal(() => drawn.undo(1))).toBe('flow.nothing_to_undo')
    drawn.undo()
    expect(drawn.state.turn).toMatchObject({ action: 'ban', seats: [1] })
  })

  test('overrides that say nothing that can be', () => {
    const session = table([{ action: 'ban', actor: 'seat:1' }, { action: 'pick', actor: 'seat:1' }, { action: 'play' }])
    expect(refusal(() => session.override({ op: 'set_map', map: 'm1' }))).toBe('flow.wrong_action')
    expect(refusal(() => session.override({ op: 'award_map', winner: 1 }))).toBe('flow.wrong_action')
    expect(refusal(() => session.override({ op: 'award_map', winner: 3 }))).toBe('flow.act_invalid')
    expect(refusal(() => session.override({ op: 'void_map' }))).toBe('flow.wrong_action')
    expect(refusal(() => session.override({ op: 'go_to', step: '9' }))).toBe('flow.step_unknown')
    expect(refusal(() => session.override({ op: 'go_to', step: 'x' }))).toBe('flow.step_unknown')
    expect(refusal(() => session.override({ op: 'dismiss', warning: 'none' }))).toBe('warning.unknown')
    expect(refusal(() => session.override({ op: 'redraw' }))).toBe('flow.nothing_to_undo')
    expect(refusal(() => session.override({ op: 'speakers', seat: 3, users: [] }))).toBe('flow.act_invalid')
    session.override({ op: 'go_to', step: '2' })
    session.override({ op: 'set_map', map: 'm3' })
    expect(session.state).toMatchObject({ phase: 'playing', games: [{ map: 'm3', pickedBy: null }] })
    expect(refusal(() => session.override({ op: 'skip' }))).toBe('flow.wrong_action')
    expect(refusal(() => session.override({ op: 'go_to', step: '1' }))).toBe('flow.wrong_action')
    expect(refusal(() => session.override({ op: 'set_map', map: 'm3' }))).toBe('flow.map_illegal taken')
    const substitute = (out: string, replacement: string) =>
      refusal(() => session.override({ op: 'substitute', seat: 1, out, in: replacement }))
    expect(substitute(player(1), player(2))).toBe('lineup.invalid')
    session.override({ op: 'set_map', map: 'm4' })
    expect(session.state.maps[2]).toMatchObject({ state: 'available', seat: null })
    session.override({ op: 'end_flow' })
    expect(refusal(() => session.override({ op: 'end_flow' }))).toBe('flow.wrong_action')
    session.put({ kind: 'map_told', map: 'm4', data: { game: 1, winner: 2, totals: [1, 2] } })
    expect(session.state).toMatchObject({ scoreline: [0, 1], games: [{ winner: 2, because: 'told' }] })
    session.put({ kind: 'result_told', data: { result: { outcome: 'score', winner: 2, scores: null } } })
    expect(session.state).toMatchObject({ status: 'over', winner: 2 })
    session.put({ kind: 'reopened', data: { reason: null, commitment: 'another' } })
    expect(session.state).toMatchObject({ status: 'paused', draws: { commitment: 'another', seed: null } })
    session.put({ kind: 'void', data: { why: 'restarted' } })
    expect(session.state).toMatchObject({ status: 'void', turn: null })
  })

  test('line-ups that are not those of the team, or are kept for the match', () => {
    const steps = [
      { repeat: 'until_decided', steps: [{ action: 'lineup' }, { action: 'random' }, { action: 'play' }] },
    ] as const
    const session = table(steps, { map: { players: 2 }, lineup: { changes: 'per_match' } }, 3)
    const name = (seat: number, ...numbers: readonly number[]) =>
      refusal(() => session.act(seat, { action: 'lineup', users: numbers.map((number) => player(seat, number)) }))
    expect(name(1, 1)).toBe('lineup.invalid')
    expect(name(1, 1, 1)).toBe('lineup.invalid')
    expect(name(1, 1, 4)).toBe('lineup.invalid')
    expect([name(1, 1, 2), name(2, 2, 3)]).toEqual([null, null])
    session.scores([500, 400], [300, 200])
    expect(name(1, 2, 3)).toBe('lineup.invalid')
    expect(name(1, 2, 1)).toBeNull()
    session.penalty({ seat: 2, type: 'exclude', user: player(2, 2) })
    expect(name(2, 2, 3)).toBe('lineup.invalid')
    expect(name(2, 1, 3)).toBeNull()
    session.override({ op: 'substitute', seat: 1, out: player(1, 2), in: player(1, 3) })
    expect(session.state.seats[0]?.lineup).toEqual([player(1, 3), player(1)])
  })
})
