import type { TournamentWithParts } from '../../../client/generated.ts'
import { words } from '../data/words.ts'
import { State } from '../parts/state.tsx'

/** The state of a tournament. */

const shapes = { draft: 'waiting', approved: 'ready', ongoing: 'running', completed: 'done', cancelled: 'off' } as const

export function StatusOf({ status }: { readonly status: TournamentWithParts['status'] }) {
  return (
    <State shape={shapes[status]} tone={status === 'ongoing' ? 'run' : 'quiet'}>
      {words(`status.${status}`)}
    </State>
  )
}
