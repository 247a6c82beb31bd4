import { words } from '../../data/words.ts'

/** Whether the service is well. */
export function AdminHealth() {
  return (
    <div className="page wide stack">
      <h1>{words('admin.health')}</h1>
    </div>
  )
}
