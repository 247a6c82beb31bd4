import { useState } from 'react'
import type { Match } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { BridgeTicket } from '../../data/generated.ts'
import { useRead } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { Field } from '../../parts/form/form.tsx'
import { Empty, Failure, Loaded } from '../../parts/loaded.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './assistant.module.css'
import { matchText, usePeopleOf } from './matches.tsx'
import { QrCode } from './qr-code.tsx'

/** Without an assistant: a page on the machine of the game tells scores, and is opened by a code. (AS30) */
export function Bridge() {
  const tournament = useTournamentId()
  const matches = useRead(address('/tournaments/{tournament}/matches', { tournament }, { status: 'ready,running' }), {
    live: true,
  })
  return (
    <>
      <p className={`muted ${styles.text}`}>{words('assistant.bridge-text')}</p>
      <Loaded of={matches}>
        {({ matches: all }) =>
          all.length === 0 ? <Empty>{words('assistant.bridge-none')}</Empty> : <OfMatches matches={all} />
        }
      </Loaded>
    </>
  )
}

function OfMatches({ matches }: { readonly matches: readonly Match[] }) {
  const tournament = useTournamentId()
  const [chosen, choose] = useState(matches[0]?.guid ?? '')
  const match = matches.find(({ guid }) => guid === chosen) ?? matches[0]
  const people = usePeopleOf(match)
  const [player, setPlayer] = useState('')
  const user = people.find(({ guid }) => guid === player) ?? people[0]
  const [made, setMade] = useState<BridgeTicket | null>(null)
  const make = useWrite('POST /tournaments/{tournament}/matches/{match}/bridgeTickets', (_, ticket) => setMade(ticket))
  const end = useWrite('DELETE /tournaments/{tournament}/matches/{match}/bridgeTickets/{user}', () => setMade(null))
  if (match === undefined) return null
  const failure = make.error ?? end.error
  return (
    <>
      <div className={styles.push}>
        <Field name="match" label={words('assistant.of-match')}>
          {(of) => (
            <select
              {...of}
              className="in"
              value={match.guid}
              onChange={({ target }) => {
                choose(target.value)
                setMade(null)
              }}
            >
              {matches.map((each) => (
                <option key={each.guid} value={each.guid}>
                  {matchText(each)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field name="user" label={words('play.role-player')}>
          {(of) => (
            <select
              {...of}
              className="in"
              value={user?.guid ?? ''}
              onChange={({ target }) => {
                setPlayer(target.value)
                setMade(null)
              }}
            >
              {people.map(({ guid, preferredName }) => (
                <option key={guid} value={guid}>
                  {preferredName}
                </option>
              ))}
            </select>
          )}
        </Field>
        <div className="btns">
          <button
            type="button"
            className="btn"
            aria-disabled={make.isSending || user === undefined}
            onClick={() =>
              user !== undefined &&
              void make.send({ params: { tournament, match: match.guid }, body: { user: user.guid } })
            }
          >
            {words('assistant.bridge-make')}
          </button>
        </div>
      </div>
      {failure !== null && (
        <Failure
          error={failure}
          again={make.error === null ? end.again : make.again}
          isTrying={make.isSending || end.isSending}
        />
      )}
      {made !== null && (
        <section className={styles.ticket} aria-label={words('assistant.ticket-of', { name: made.user.preferredName })}>
          <QrCode text={made.address} label={words('assistant.qr', { name: made.user.preferredName })} />
          <div>
            <p className="strong">{words('assistant.ticket-of', { name: made.user.preferredName })}</p>
            <p>{words('assistant.ticket-once')}</p>
            <p className={styles.address}>
              <bdi className="code">{made.address}</bdi>
            </p>
            <p className="muted">
              {words('claim.until')} <Instant at={made.expiresAt} />
            </p>
            <div className="btns">
              <CopyButton text={made.address} label={words('assistant.ticket-copy')} />
              <button
                type="button"
                className="btn btn-danger"
                aria-disabled={end.isSending}
                onClick={() => void end.send({ params: { tournament, match: match.guid, user: made.user.guid } })}
              >
                {words('assistant.ticket-end')}
              </button>
            </div>
          </div>
        </section>
      )}
    </>
  )
}
