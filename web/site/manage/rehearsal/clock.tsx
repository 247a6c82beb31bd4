import { useState } from 'react'
import type { Rehearsal } from '../../../../client/generated.ts'
import type { Writes } from '../../data/generated.ts'
import { now } from '../../data/live.ts'
import { rates, shownBy } from '../../data/rehearsal-clock.ts'
import { useMay, useTournament } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Form, Save } from '../../parts/form/form.tsx'
import { InstantField } from '../../parts/form/instant.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { Section } from '../../parts/section.tsx'
import { dayOf, isSameZone, ownZone, useNow, zoneOf } from '../../parts/time.tsx'
import { showRehearsal } from './reads.ts'
import styles from './rehearsal.module.css'

/** The clock by which everything in a rehearsal goes: it is let run, stopped, or moved on. (R2) */

const at = 'POST /tournaments/{tournament}/rehearsals/{rehearsal}/clock'
type Change = Writes[typeof at]['body']

interface Ran {
  readonly change: Change
  readonly count: number
  readonly isDone: boolean
}

interface Props {
  readonly rehearsal: Rehearsal
}

export function Clock({ rehearsal }: Props) {
  const { of, guid, clock } = rehearsal
  const mayChange = useMay()('rehearsals.setClock')
  const [ran, setRan] = useState<Ran | null>(null)
  const change = useWrite(at, (known, reply, { body }) => {
    showRehearsal(known, rehearsal, { clock: reply.clock })
    const made = body as Change
    setRan((before) => {
      if (made.advanceTo === undefined) return null
      const goesOn = before?.change.advanceTo === made.advanceTo && !before.isDone
      return { change: made, count: (goesOn ? before.count : 0) + reply.ran, isDone: reply.done }
    })
  })
  const send = (body: Change) => change.send({ params: { tournament: of, rehearsal: guid }, body })
  const advance = (minutes: number) =>
    void send({ advanceTo: new Date(shownBy(clock, now()) + minutes * 60_000).toISOString() })
  return (
    <Section title={words('rehearse.clock')}>
      <div className={styles.clock}>
        <Face rehearsal={rehearsal} />
        {mayChange && (
          <div className={styles.acts}>
            <button type="button" className="btn btn-primary" onClick={() => void send({ paused: !clock.paused })}>
              {words(clock.paused ? 'rehearse.run' : 'rehearse.pause')}
            </button>
            {/* biome-ignore lint/a11y/useSemanticElements: these are buttons, not fields */}
            <div className="choices" role="group" aria-label={words('rehearse.rate')}>
              {rates.map((rate) => (
                <button
                  key={rate}
                  type="button"
                  className="btn"
                  aria-pressed={clock.rate === rate}
                  onClick={() => void send({ rate })}
                >
                  {words('rehearse.times', { rate })}
                </button>
              ))}
            </div>
            {/* biome-ignore lint/a11y/useSemanticElements: these are buttons, not fields */}
            <div className="choices" role="group" aria-label={words('rehearse.advance')}>
              {([5, 15, 60] as const).map((minutes) => (
                <button
                  key={minutes}
                  type="button"
                  className="btn"
                  aria-disabled={change.isSending}
                  onClick={() => change.isSending || advance(minutes)}
                >
                  {words(minutes === 60 ? 'rehearse.advance-hour' : 'rehearse.advance-minutes', { minutes })}
                </button>
              ))}
            </div>
          </div>
        )}
      </div>
      {mayChange && (
        <Until isSending={change.isSending} error={change.error} advance={(advanceTo) => send({ advanceTo })} />
      )}
      <div role="status" className={styles.told}>
        {change.isSending && <p className="muted">{words('rehearse.moving')}</p>}
        {!change.isSending && ran?.isDone === true && <p>{words('rehearse.ran', { count: ran.count })}</p>}
        {!change.isSending && ran?.isDone === false && (
          <div className="notice notice-warning">
            <p className="push">{words('rehearse.not-there', { count: ran.count })}</p>
            <button type="button" className="btn btn-primary" onClick={() => void send(ran.change)}>
              {words('rehearse.go-on')}
            </button>
          </div>
        )}
      </div>
    </Section>
  )
}

/** What it shows, and whether it runs. Nothing tells its seconds to those who hear the page. */
function Face({ rehearsal: { clock } }: Props) {
  const zone = useTournament().data?.timezone ?? ownZone
  const time = useNow(clock.paused ? 30_000 : 250)
  const shown = shownBy(clock, time)
  const text = new Date(shown).toISOString()
  return (
    <div className={styles.face}>
      <p className={styles.hours}>
        <time dateTime={text}>{secondsOf(shown, zone)}</time>
      </p>
      <p>
        {dayOf(text, zone)}
        {!isSameZone(zone, ownZone, shown) && <span className="muted"> · {zoneOf(zone, shown)}</span>}
      </p>
      <p className={`muted ${styles.state}`}>
        <StateIcon name={clock.paused ? 'paused' : 'running'} />{' '}
        {clock.paused ? words('rehearse.paused') : words('rehearse.runs', { rate: clock.rate })}
      </p>
    </div>
  )
}

const secondsOf = (at: number, zone: string) =>
  new Date(at).toLocaleTimeString('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })

interface UntilProps {
  readonly isSending: boolean
  readonly error: Error | null
  readonly advance: (to: string) => Promise<boolean>
}

function Until({ isSending, error, advance }: UntilProps) {
  const zone = useTournament().data?.timezone ?? ownZone
  const form = useForm<{ advanceTo: string | null }>({ key: null, saved: { advanceTo: null } })
  const { advanceTo } = form.values
  return (
    <Form
      className={styles.until}
      error={error}
      onSubmit={async () => {
        if (advanceTo !== null && !isSending && (await advance(advanceTo))) form.take()
      }}
    >
      <div className={styles.row}>
        <InstantField
          form={form}
          name="advanceTo"
          zone={zone}
          label={words('rehearse.advance-to')}
          hint={words('rehearse.advance-hint')}
        />
        <Save isSending={isSending}>{words('rehearse.advance-now')}</Save>
      </div>
    </Form>
  )
}
