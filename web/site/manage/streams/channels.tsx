import { useState } from 'react'
import type { ChannelList, Match } from '../../../../client/generated.ts'
import { ApiError, address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextValue } from '../../parts/form/fields.tsx'
import { Field, Form } from '../../parts/form/form.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Queue } from './queue.tsx'
import styles from './streams.module.css'

/** The channels with their queues, and the list of channels itself. */

const channelsAddress = (tournament: string) => address('/tournaments/{tournament}/channels', { tournament })

export function Channels({ matches }: { readonly matches: readonly Match[] }) {
  const read = useRead(channelsAddress(useTournamentId()), { live: true })
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  const byGuid = new Map(matches.map((match) => [match.guid, match]))
  const mayChange = may('channels.replace')
  return (
    <Section
      title={words('schedule.channels')}
      beside={
        mayChange &&
        read.data !== undefined && (
          <button type="button" className="btn" onClick={() => setOpen(true)}>
            {words('channels.change')}…
          </button>
        )
      }
    >
      <Loaded of={read} rows={4}>
        {(list) => (
          <>
            {list.channels.length === 0 && <Empty>{words(mayChange ? 'channels.none' : 'channels.none-yet')}</Empty>}
            {list.channels.map((channel) => (
              <article key={channel.guid} className={styles.channel} aria-label={channel.name}>
                <header>
                  <h3>
                    <bdi>{channel.name}</bdi>
                  </h3>
                  <a href={channel.url} rel="nofollow ugc noopener">
                    {words('schedule.watch')}
                    <span className="unseen">
                      {' '}
                      <bdi>{channel.name}</bdi>
                    </span>
                  </a>
                  {channel.delaySeconds > 0 && (
                    <span className="muted">{words('channels.delay', { seconds: channel.delaySeconds })}</span>
                  )}
                </header>
                <Queue channel={channel} matches={byGuid} />
              </article>
            ))}
            {isOpen && <ChannelsDialog list={list} close={() => setOpen(false)} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}

interface Row {
  /** Of a channel that is there. */
  readonly guid?: string
  readonly key: string
  readonly name: string
  readonly url: string
  readonly delaySeconds: number
}

const most = 8
const rowsOf = ({ channels }: ChannelList): readonly Row[] =>
  channels.map(({ guid, name, url, delaySeconds }) => ({ guid, key: guid, name, url, delaySeconds }))
const newRow = (): Row => ({ key: crypto.randomUUID(), name: '', url: '', delaySeconds: 0 })

function ChannelsDialog({ list, close }: { readonly list: ChannelList; readonly close: () => void }) {
  const tournament = useTournamentId()
  const [seen, setSeen] = useState(list)
  const [rows, setRows] = useState(() => (list.channels.length === 0 ? [newRow()] : rowsOf(list)))
  const put = useWrite('PUT /tournaments/{tournament}/channels', (known, reply) => {
    known.put(channelsAddress(tournament), reply)
    known.renew(`/tournaments/${tournament}/channels`)
  })
  const isStale = put.error instanceof ApiError && put.error.code === 'channel.stale'
  const set = (at: number, change: Partial<Row>) =>
    setRows(rows.map((row, index) => (index === at ? { ...row, ...change } : row)))
  const send = async () => {
    const channels = rows.map(({ key: _key, ...row }) => row)
    if (await put.send({ params: { tournament }, body: { channels, revision: seen.revision } })) close()
  }
  const gone = seen.channels.filter(({ guid }) => rows.every((row) => row.guid !== guid))
  return (
    <Dialog title={words('channels.title')} close={close}>
      <Form error={put.error} onSubmit={send}>
        {isStale && (
          <button
            type="button"
            className="btn"
            onClick={() => {
              setSeen(list)
              setRows(rowsOf(list))
              put.reset()
            }}
          >
            {words('channels.as-now')}
          </button>
        )}
        {rows.map((row, at) => (
          <fieldset key={row.key} className={styles.row}>
            <legend className="unseen">{words('channels.number', { number: at + 1 })}</legend>
            <TextValue
              name={`channels[${at}].name`}
              label={words('channels.name')}
              value={row.name}
              change={(name) => set(at, { name })}
              maxLength={40}
              isRequired
            />
            <TextValue
              name={`channels[${at}].url`}
              label={words('channels.url')}
              type="url"
              placeholder="https://"
              value={row.url}
              change={(url) => set(at, { url })}
              isRequired
            />
            <Field name={`channels[${at}].delaySeconds`} label={words('channels.seconds')}>
              {(of) => (
                <input
                  {...of}
                  className="in num"
                  type="number"
                  min={0}
                  max={1_800}
                  value={row.delaySeconds}
                  onChange={({ target }) => set(at, { delaySeconds: target.valueAsNumber || 0 })}
                />
              )}
            </Field>
            <div className="btns">
              {at > 0 && (
                <button
                  type="button"
                  className="btn btn-quiet"
                  onClick={() => setRows(rows.toSpliced(at, 1).toSpliced(at - 1, 0, row))}
                >
                  {words('channels.up')}
                  <span className="unseen"> {row.name}</span>
                </button>
              )}
              <button type="button" className="btn btn-quiet" onClick={() => setRows(rows.toSpliced(at, 1))}>
                {words('channels.remove')}
                <span className="unseen"> {row.name}</span>
              </button>
            </div>
          </fieldset>
        ))}
        {rows.length < most && (
          <button type="button" className="btn" onClick={() => setRows([...rows, newRow()])}>
            {words('channels.add')}
          </button>
        )}
        {gone.length > 0 && (
          <p className="notice notice-warning">
            {words('channels.gone', { names: gone.map(({ name }) => name).join(', ') })}
          </p>
        )}
        <div className="btns">
          <button type="submit" className="btn btn-primary" aria-disabled={put.isSending}>
            {words('form.save')}
          </button>
          <button type="button" className="btn" onClick={close}>
            {words('danger.cancel')}
          </button>
        </div>
      </Form>
    </Dialog>
  )
}
