import type { Awards } from '../../../client/generated.ts'
import { words } from '../data/words.ts'
import { State } from './state.tsx'

type Status = Awards['status']

const shapes: Readonly<Record<Status, Parameters<typeof State>[0]['shape']>> = {
  draft: 'waiting',
  nominating: 'running',
  shortlisting: 'waiting',
  voting: 'running',
  counting: 'waiting',
  published: 'done',
  cancelled: 'off',
}

/** In which phase an edition is. */
export function EditionState({ status }: { readonly status: Status }) {
  const isOpen = status === 'nominating' || status === 'voting'
  return (
    <State shape={shapes[status]} tone={isOpen ? 'run' : 'quiet'}>
      {words(`edition.${status}`)}
    </State>
  )
}
