import { useState } from 'react'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import type { Of } from './acts.tsx'
import { type ChannelOf, queueAddress } from './console.ts'
import styles from './live.module.css'

/** Puts a match on a channel: at the end of its queue, or at once. */

interface Props extends Of {
  readonly channels: readonly ChannelOf[]
  readonly close: () => void
}

export function PutOnChannel({ match, tournament, channels, close }: Props) {
  const has = ({ queue }: ChannelOf) =>
    queue?.entries.some((entry) => entry.match.guid === match.guid && entry.status !== 'done') === true
  const [chosen, setChosen] = useState((channels.find(has) ?? channels[0])?.channel.guid ?? '')
  const [isNow, setNow] = useState(match.status === 'running')
  const { queue } = channels.find(({ channel }) => channel.guid === chosen) ?? {}
  const replace = useWrite('PUT /tournaments/{tournament}/channels/{channel}/queue', (known, reply) =>
    known.put(queueAddress(tournament.id, chosen), reply),
  )
  const submit = async () => {
    if (queue === undefined) return
    const status = isNow ? 'live' : 'queued'
    const others = queue.entries
      .filter((entry) => entry.match.guid !== match.guid)
      .map((entry) => ({
        match: entry.match.guid,
        // A channel shows one match at a time.
        status: isNow && entry.status === 'live' ? 'done' : entry.status,
        plannedAt: entry.plannedAt,
      }))
    const own = { match: match.guid, status, plannedAt: match.scheduledAt } as const
    const over = others.filter((entry) => entry.status === 'done')
    const entries = isNow ? [...over, own, ...others.filter((entry) => entry.status !== 'done')] : [...others, own]
    if (
      await replace.send({
        params: { tournament: tournament.id, channel: chosen },
        body: { entries, revision: queue.revision },
      })
    )
      close()
  }
  return (
    <Dialog title={words('live.put-title', { number: match.number })} close={close}>
      <Form error={replace.error} onSubmit={submit}>
        <fieldset className={styles.choices}>
          <legend className="strong">{words('live.channel')}</legend>
          {channels.map((each) => (
            <label key={each.channel.guid} className="choice">
              <input
                type="radio"
                name="channel"
                checked={each.channel.guid === chosen}
                onChange={() => setChosen(each.channel.guid)}
              />
              <bdi>{each.channel.name}</bdi>
              {has(each) && <span className="muted"> {words('live.is-on')}</span>}
            </label>
          ))}
        </fieldset>
        <label className="choice">
          <input type="checkbox" checked={isNow} onChange={({ target }) => setNow(target.checked)} />
          {words('live.put-now')}
        </label>
        <Save isSending={replace.isSending} isDisabled={queue === undefined}>
          {words('live.put-do')}
        </Save>
      </Form>
    </Dialog>
  )
}
