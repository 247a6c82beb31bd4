import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Prose } from '../parts/prose.tsx'
import { useTournament } from './reads.ts'

export function Rules() {
  const read = useTournament()
  return (
    <div className="page stack">
      <h1>{words('tournament.rules')}</h1>
      <Loaded of={read} rows={10}>
        {({ html }) => (html?.rules ? <Prose html={html.rules} /> : <Empty>{words('tournament.no-rules')}</Empty>)}
      </Loaded>
    </div>
  )
}
