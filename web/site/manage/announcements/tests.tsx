import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChatDelivery, TournamentWithParts } from '../../../../client/generated.ts'
import { write } from '../../data/api.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite, type Writing } from '../../data/writes.ts'
import { Failure } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { DeliveryParts } from '../delivery.tsx'
import { channelName, type Kind, kinds, kindWord } from '../kinds.ts'
import styles from './announcements.module.css'

/** What each message looks like, and tests of the channels that are saved. */

const at = 'POST /tournaments/{tournament}/announcements/test'

export interface TestState {
  /** The messages as they would be sent. */
  readonly previews: ReadonlyMap<Kind, string> | undefined
  readonly error: Error | null
  readonly again: () => void
  readonly write: Writing<typeof at>
  /** The deliveries of the tests that were sent from here. */
  readonly sent: readonly string[]
}

export function useTests(tournament: TournamentWithParts): TestState {
  const { guid, updatedAt, announcements: channels, announcementRoles } = tournament
  const id = useTournamentId()
  const [sent, setSent] = useState<readonly string[]>([])
  const { data, error, refetch } = useQuery({
    // What is private changes no time of the record.
    queryKey: ['announcements', guid, updatedAt, channels, announcementRoles],
    queryFn: () => write(at, { params: { tournament: guid }, body: {} }, crypto.randomUUID()),
    placeholderData: (before) => before,
    staleTime: 60_000,
  })
  const writing = useWrite(at, (known, { announcements }) => {
    setSent(announcements.flatMap(({ delivery }) => delivery ?? []))
    known.renew(`/tournaments/${id}/deliveries`)
  })
  const previews = data && new Map(data.announcements.map(({ kind, content }) => [kind, content]))
  return { previews, error, again: () => void refetch(), write: writing, sent }
}

interface Props {
  readonly tests: TestState
  readonly tournament: TournamentWithParts
  readonly isChanged: boolean
  readonly deliveries: readonly ChatDelivery[]
}

export function Tests({ tests, tournament, isChanged, deliveries }: Props) {
  const { announcements = {}, guid } = tournament
  const set = kinds.filter((kind) => announcements[kind] !== undefined)
  const [chosen, setChosen] = useState<Kind | 'each'>('each')
  const tested = chosen === 'each' ? onePerChannel(announcements) : [chosen]
  const { send, isSending, error } = tests.write
  const sent = deliveries.filter((each) => tests.sent.includes(each.guid))
  return (
    <Section title={words('announcements.test')}>
      <p className="muted">{words('announcements.test-text')}</p>
      {tests.error !== null && <Failure error={tests.error} again={tests.again} />}
      {set.length === 0 ? (
        <p>{words('announcements.test-none')}</p>
      ) : (
        <div className={styles.test}>
          <div className="field">
            <label htmlFor="tested">{words('announcements.test-which')}</label>
            <select
              id="tested"
              className="in"
              value={chosen}
              onChange={({ target }) => setChosen(target.value as Kind | 'each')}
            >
              <option value="each">{words('announcements.test-each')}</option>
              {set.map((kind) => (
                <option key={kind} value={kind}>
                  {words('announcements.test-kind', {
                    kind: kindWord(kind),
                    channel: channelName(announcements[kind] ?? ''),
                  })}
                </option>
              ))}
            </select>
          </div>
          <button
            type="button"
            className="btn"
            aria-disabled={isSending || isChanged}
            onClick={() => void send({ params: { tournament: guid }, body: { kinds: tested, send: true } })}
          >
            {words('announcements.test-send')}
          </button>
          {isChanged && <span className="muted">{words('announcements.test-save')}</span>}
        </div>
      )}
      {error !== null && (
        <p role="alert" className="notice notice-alert">
          <bdi>{error.message || words('form.unreachable')}</bdi>
        </p>
      )}
      <ul className="lines" aria-live="polite">
        {sent.map(({ guid: each, announcement, channel, delivery }) => (
          <li key={each} className={styles.sent}>
            <span>
              {announcement !== null && kindWord(announcement)}, <bdi>{channelName(channel)}</bdi>
            </span>
            <DeliveryParts delivery={delivery} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** One kind of each channel: enough to know that all of them work. */
function onePerChannel(announcements: NonNullable<TournamentWithParts['announcements']>): readonly Kind[] {
  const found = new Map<string, Kind>()
  for (const kind of kinds) {
    const channel = announcements[kind]
    if (channel !== undefined && !found.has(channel)) found.set(channel, kind)
  }
  return [...found.values()]
}
