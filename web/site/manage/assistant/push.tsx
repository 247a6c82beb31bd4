import { useState } from 'react'
import { address } from '../../data/api.ts'
import type { AssistantPush } from '../../data/generated.ts'
import { useRead } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Field } from '../../parts/form/form.tsx'
import { Empty, Failure, Loaded } from '../../parts/loaded.tsx'
import styles from './assistant.module.css'

/** Brings the maps of a pool to the assistant, after a look at what that changes there. (AS25) */
export function Push() {
  const tournament = useTournamentId()
  const pools = useRead(address('/tournaments/{tournament}/pools', { tournament }))
  return (
    <Loaded of={pools}>
      {(all) => {
        const published = all.filter(({ status }) => status === 'published')
        return published.length === 0 ? <Empty>{words('assistant.no-pools')}</Empty> : <OfPools pools={published} />
      }}
    </Loaded>
  )
}

function OfPools({ pools }: { readonly pools: readonly { readonly guid: string; readonly name: string }[] }) {
  const tournament = useTournamentId()
  const [pool, setPool] = useState(pools[0]?.guid ?? '')
  const [told, setTold] = useState<{
    readonly of: string
    readonly found: AssistantPush
    readonly isDry: boolean
  } | null>(null)
  const push = useWrite('POST /tournaments/{tournament}/assistant/push', (_, found, { body }) => {
    const { pool: of = '', dryRun = false } = body as { readonly pool?: string; readonly dryRun?: boolean }
    setTold({ of, found, isDry: dryRun })
  })
  const send = (dryRun: boolean) => void push.send({ params: { tournament }, body: { pool, dryRun } })
  const shown = told?.of === pool ? told : null
  const { added = 0, updated = 0, removed = 0, unchanged = 0, failed = [] } = shown?.found ?? {}
  return (
    <div className={styles.push}>
      <Field name="pool" label={words('assistant.pool')}>
        {(of) => (
          <select {...of} className="in" value={pool} onChange={({ target }) => setPool(target.value)}>
            {pools.map(({ guid, name }) => (
              <option key={guid} value={guid}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className="btns">
        <button type="button" className="btn" aria-disabled={push.isSending} onClick={() => send(true)}>
          {words('assistant.push-look')}
        </button>
        <button
          type="button"
          className="btn"
          aria-disabled={push.isSending || shown === null}
          onClick={() => send(false)}
        >
          {words('assistant.push-do')}
        </button>
      </div>
      {push.error !== null && <Failure error={push.error} again={push.again} isTrying={push.isSending} />}
      <p role="status">
        {shown !== null &&
          words(shown.isDry ? 'assistant.push-would' : 'assistant.pushed', { added, updated, removed, unchanged })}
      </p>
      {failed.length > 0 && (
        <ul className={styles.warnings}>
          {failed.map(({ map, code }) => (
            <li key={`${map} ${code}`}>
              <bdi>{map ?? words('assistant.pool')}</bdi>: <bdi className="code">{code}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
