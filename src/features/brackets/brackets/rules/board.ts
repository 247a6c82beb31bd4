import { isOver } from '../../../../engine/verdict.ts'
import type { MatchRecord } from '../../matches/types.ts'
import type { Bracket } from '../types.ts'

type Progress = Pick<Bracket, 'status' | 'open' | 'started'>

/**
 * Computes the bracket's totals and status after some of its matches changed. A draft stays a draft: placing teams
 * makes it ready, playing does not.
 */
export function progress(
  bracket: Bracket,
  changed: readonly { readonly before: MatchRecord; readonly after: MatchRecord }[],
): Progress {
  let { open, started } = bracket
  for (const { before, after } of changed) {
    open += Number(!isOver(after)) - Number(!isOver(before))
    started += Number(after.started) - Number(before.started)
  }
  return { open, started, status: bracket.status === 'draft' ? 'draft' : statusOf({ ...bracket, open, started }) }
}

/** The status of a bracket that has all its teams. (additions: Divisions, brackets, matches) */
export function statusOf({
  format,
  settings,
  roundsMade,
  open,
  started,
}: Pick<Bracket, 'format' | 'settings' | 'roundsMade' | 'open' | 'started'>): Bracket['status'] {
  const isWhole = format !== 'swiss' || roundsMade >= settings.rounds
  if (open === 0 && isWhole) return 'completed'
  return started > 0 || roundsMade > 1 ? 'running' : 'ready'
}
