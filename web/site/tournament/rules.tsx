import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { PrintButton, Printed } from '../parts/print.tsx'
import { Prose } from '../parts/prose.tsx'
import { useTournament } from './reads.ts'

export function Rules() {
  const read = useTournament()
  return (
    <Printed name={read.data?.name} className="page stack">
      <div className="title">
        <h1>{words('tournament.rules')}</h1>
        <PrintButton isSmall />
      </div>
      <Loaded of={read} rows={10}>
        {({ html }) => (html?.rules ? <Prose html={html.rules} /> : <Empty>{words('tournament.no-rules')}</Empty>)}
      </Loaded>
    </Printed>
  )
}
