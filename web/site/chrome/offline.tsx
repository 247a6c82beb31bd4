import { words } from '../data/words.ts'
import { Unsent } from '../parts/reports/unsent.tsx'
import { KeptList } from './kept-list.tsx'

/** What can be read without a connection. */
export function Offline() {
  return (
    <div className="page stack">
      <h1>{words('connection.title')}</h1>
      <p className="prose">{words('connection.how')}</p>
      <Unsent />
      <KeptList />
    </div>
  )
}
