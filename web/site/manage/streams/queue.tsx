import { useEffect, useRef, useState } from 'react'
import type { Channel, Match } from '../../../../client/generated.ts'
import { useMay } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { say } from '../../parts/announcer.tsx'
import { Empty, Failure, Loaded } from '../../parts/loaded.tsx'
import { sideName } from '../../parts/match.tsx'
import { State } from '../../parts/state.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './streams.module.css'
import { type QueueEntry, useQueue } from './use-queue.ts'

/** The queue of a channel. Buttons and keys order it; dragging does the same. */

interface Props {
  readonly channel: Channel
  readonly matches: ReadonlyMap<string, Match>
}

type Moving = { readonly guid: string; readonly act: 'up' | 'down' } | null

export function Queue({ channel, matches }: Props) {
  const may = useMay()
  const { read, entries, isPending, isStale, change, again, put } = useQueue(channel.guid)
  const list = useRef<HTMLOListElement>(null)
  const moved = useRef<Moving>(null)
  const [dragged, drag] = useState<string | null>(null)
  const [over, setOver] = useState<string | null>(null)
  const open = entries.filter(({ status }) => status !== 'done')
  const done = entries.filter(({ status }) => status === 'done')
  const mayChange = may('channels.replaceQueue')
  const order = open.map(({ match }) => match.guid).join()
  // A line that takes another place loses the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the order
  useEffect(() => {
    if (moved.current === null) return
    const { guid, act } = moved.current
    moved.current = null
    list.current?.querySelector<HTMLElement>(`[data-match="${guid}"] [data-act="${act}"]`)?.focus()
  }, [order])
  const place = (guid: string, to: number, act: 'up' | 'down' = 'up') => {
    const from = open.findIndex(({ match }) => match.guid === guid)
    const entry = open[from]
    if (entry === undefined || to < 0 || to >= open.length || to === from) return
    const others = open.toSpliced(from, 1)
    moved.current = { guid, act }
    change([...done, ...others.toSpliced(to, 0, entry)])
    say(words('queue.moved', { number: entry.match.number, place: to + 1, count: open.length }))
  }
  const setNext = (guid: string) =>
    change(
      entries.map((each): QueueEntry => {
        if (each.match.guid === guid) return { ...each, status: 'next' }
        return each.status === 'next' ? { ...each, status: 'queued' } : each
      }),
    )
  return (
    <Loaded of={read} rows={2}>
      {() => (
        <>
          {isStale && (
            <p className="notice notice-warning" role="alert">
              {words('queue.stale')}
            </p>
          )}
          {put.error && <Failure error={put.error} again={again} isTrying={put.isSending} />}
          {open.length === 0 && <Empty>{words(mayChange ? 'queue.empty' : 'schedule.nothing-planned')}</Empty>}
          <ol ref={list} className={`lines ${styles.queue} ${isPending ? styles.pending : ''}`}>
            {open.map((entry, at) => {
              const { guid, number } = entry.match
              return (
                <li
                  key={guid}
                  data-match={guid}
                  className={over === guid && dragged !== null ? styles.over : ''}
                  draggable={mayChange}
                  onDragStart={() => drag(guid)}
                  onDragEnd={() => drag(null)}
                  onDragOver={(event) => {
                    event.preventDefault()
                    setOver(guid)
                  }}
                  onDrop={(event) => {
                    event.preventDefault()
                    if (dragged !== null) place(dragged, at)
                    drag(null)
                  }}
                  onKeyDown={(event) => {
                    if (!mayChange || !event.altKey || !/^Arrow(Up|Down)$/.test(event.key)) return
                    event.preventDefault()
                    const isUp = event.key === 'ArrowUp'
                    place(guid, at + (isUp ? -1 : 1), isUp ? 'up' : 'down')
                  }}
                >
                  <span className="num">{at + 1}</span>
                  <Line entry={entry} match={matches.get(guid)} />
                  {mayChange && (
                    <div className="btns">
                      {(['up', 'down'] as const).map((act) => {
                        const to = act === 'up' ? at - 1 : at + 1
                        return (
                          <button
                            key={act}
                            type="button"
                            data-act={act}
                            className="btn btn-quiet btn-icon"
                            aria-label={words(`queue.${act}`, { number })}
                            aria-disabled={to < 0 || to >= open.length}
                            onClick={() => place(guid, to, act)}
                          >
                            {act === 'up' ? '↑' : '↓'}
                          </button>
                        )
                      })}
                      {entry.status === 'queued' && (
                        <button type="button" className="btn btn-quiet" onClick={() => setNext(guid)}>
                          {words('queue.next')}
                          <span className="unseen"> {words('schedule.match', { number })}</span>
                        </button>
                      )}
                      {entry.status !== 'live' && (
                        <button
                          type="button"
                          className="btn btn-quiet"
                          onClick={() => change(entries.filter(({ match }) => match.guid !== guid))}
                        >
                          {words('queue.remove')}
                          <span className="unseen"> {words('schedule.match', { number })}</span>
                        </button>
                      )}
                    </div>
                  )}
                </li>
              )
            })}
          </ol>
          {done.length > 0 && (
            <p className="small muted">
              {words('queue.done', { numbers: done.map(({ match }) => match.number).join(', '), count: done.length })}
            </p>
          )}
          {mayChange && (
            <Add
              name={channel.name}
              matches={[...matches.values()].filter(({ guid }) => entries.every(({ match }) => match.guid !== guid))}
              add={({ guid, number }) =>
                change([...entries, { match: { guid, number }, status: 'queued', plannedAt: null }])
              }
            />
          )}
          {mayChange && open.length > 1 && <p className="small muted">{words('queue.keys')}</p>}
        </>
      )}
    </Loaded>
  )
}

function Line({
  entry: { match, status, plannedAt },
  match: known,
}: {
  readonly entry: QueueEntry
  readonly match: Match | undefined
}) {
  const at = plannedAt ?? known?.scheduledAt ?? null
  return (
    <p>
      <span className="num">{match.number}</span>{' '}
      {known === undefined ? (
        words('schedule.match', { number: match.number })
      ) : (
        <bdi>{known.sides.map(sideName).join(' – ')}</bdi>
      )}{' '}
      {status === 'live' && (
        <State shape="running" tone="run">
          {words('play.on-air')}
        </State>
      )}
      {status === 'next' && <State shape="ready">{words('schedule.next')}</State>}{' '}
      {at !== null && (
        <span className="muted">
          <Instant at={at} as="time" />
        </span>
      )}
    </p>
  )
}

interface AddProps {
  readonly name: string
  readonly matches: readonly Match[]
  readonly add: (match: Match) => void
}

function Add({ name, matches, add }: AddProps) {
  const [chosen, choose] = useState('')
  const match = matches.find(({ guid }) => guid === chosen)
  if (matches.length === 0) return null
  return (
    <form
      className={styles.add}
      onSubmit={(event) => {
        event.preventDefault()
        if (match !== undefined) add(match)
        choose('')
      }}
    >
      <label>
        <span className="unseen">{words('queue.add-to', { name })}</span>
        <select
          className="in"
          value={match === undefined ? '' : chosen}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="">{words('queue.choose')}</option>
          {matches.map((each) => (
            <option key={each.guid} value={each.guid}>
              {`${each.number}. ${each.sides.map(sideName).join(' – ')}`}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" className="btn" aria-disabled={match === undefined}>
        {words('queue.add')}
        <span className="unseen"> {name}</span>
      </button>
    </form>
  )
}
