import { useState } from 'react'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { ServerForm } from './server-form.tsx'
import { NewSecret, ServerLine } from './servers.tsx'
import { Sessions } from './sessions.tsx'

/** Media servers with their health and their secrets, and what is streamed to them. */

export interface ShownSecret {
  readonly server: string
  readonly secret: string
}

export function AdminStreaming() {
  const read = useRead(address('/admin/streamServers', {}))
  const [isMaking, setMaking] = useState(false)
  // A secret is shown once, and kept by this page alone.
  const [shown, show] = useState<ShownSecret | null>(null)
  return (
    <div className="page wide stack">
      <div className="title">
        <div>
          <h1>{words('admin-streaming.title')}</h1>
          <p>{words('admin-streaming.about')}</p>
        </div>
        {!isMaking && (
          <button type="button" className="btn" onClick={() => setMaking(true)}>
            {words('admin-streaming.new')}
          </button>
        )}
      </div>
      {isMaking && (
        <Section title={words('admin-streaming.new')}>
          <ServerForm
            server={null}
            done={(made) => {
              setMaking(false)
              if (made !== null) show(made)
            }}
          />
        </Section>
      )}
      <Section title={words('admin-streaming.servers')}>
        {shown !== null && <NewSecret of={shown} close={() => show(null)} />}
        <Loaded of={read} rows={3}>
          {(servers) =>
            servers.length === 0 ? (
              <Empty>{words('admin-streaming.none')}</Empty>
            ) : (
              <ul className="lines">
                {servers.map((server) => (
                  <ServerLine key={server.guid} server={server} rotated={show} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
      <Sessions />
    </div>
  )
}
