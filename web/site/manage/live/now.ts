import type { FlowState } from '../../../../client/generated.ts'
import { type WordId, words } from '../../data/words.ts'

/** What happens in a session, in one line. */
export function nowOf({ status, phase, turn, seats, stuck }: FlowState): string {
  const names = (numbers: readonly number[]) =>
    numbers.map((seat) => seats.find((each) => each.seat === seat)?.name ?? '').join(', ')
  if (status === 'paused') return words('turn.paused')
  if (status !== 'running') return words('live.by-hand')
  if (phase === 'starting') return words('play.starting')
  if (phase === 'referee' || phase === 'decided' || turn?.actor === 'referee')
    return stuck === null ? words('turn.referee') : words(`play.stuck-${stuck}` as WordId)
  if (turn === null) return words('match.running')
  const game = turn.game === null ? '' : `${words('live.game', { game: turn.game })}, `
  if (phase === 'window') return `${game}${words('play.may-claim', { team: names(turn.seats) })}`
  if (turn.actor === 'system' && turn.action !== 'play') return words('turn.system')
  return `${game}${words(`turn.${turn.action}` as WordId, { team: names(turn.seats) })}`
}
