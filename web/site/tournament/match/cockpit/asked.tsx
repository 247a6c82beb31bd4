import { useState } from 'react'
import { type WordId, words } from '../../../data/words.ts'
import { Section } from '../../../parts/section.tsx'
import { Answer } from '../own/answer.tsx'
import { askOf } from '../own/asks.tsx'
import styles from './cockpit.module.css'
import { nameOfSeat, type Table } from './ops.ts'
import { isOfPool } from './pool.tsx'

/** What the step asks of the seats besides maps, answered for them: line-ups, places, being ready, a result, a roll. */
export function Asked(table: Table) {
  const { session, ops } = table
  const { turn, status, phase } = session
  if (turn === null || (status !== 'running' && status !== 'paused')) return null
  if (phase === 'starting') return <Starting {...table} />
  if (turn.actor === 'referee' && turn.action === 'roll') return <Rolls {...table} />
  if (turn.actor === 'referee' && !isOfPool(turn.action) && turn.action !== 'play')
    return (
      <Section title={words('turn.referee')}>
        <button
          type="button"
          className="btn btn-primary"
          aria-disabled={ops.isSending}
          onClick={() => void ops.send('act', { action: turn.action as 'ready' | 'break' })}
        >
          {words('cockpit.go')}
        </button>
      </Section>
    )
  if (phase !== 'window' && isOfPool(turn.action)) return null
  if (turn.seats.length === 0) return null
  return <ForSeats {...table} />
}

function ForSeats(table: Table) {
  const { view, session, ops } = table
  const seats = session.turn?.seats ?? []
  const [wanted, setWanted] = useState<number | null>(null)
  const seat = seats.find((each) => each === wanted) ?? seats[0] ?? 0
  const ask = askOf(view, session, seat)
  const [choice, setChoice] = useState<{ readonly of: string; readonly values: readonly string[] } | null>(null)
  if (ask === null) return null
  const key = `${seat} ${ask.key}`
  const chosen = choice?.of === key ? choice.values : (ask.first ?? [])
  const action = session.turn?.action
  // The words of the step are those for the side itself.
  const title =
    session.phase === 'window' ? ask.title : words(`turn.${action}` as WordId, { team: nameOfSeat(session, seat) })
  return (
    <Section title={<bdi>{title}</bdi>}>
      {seats.length > 1 ? (
        <div className="choices">
          {seats.map((each) => (
            <button
              key={each}
              type="button"
              className="btn"
              aria-pressed={each === seat}
              onClick={() => setWanted(each)}
            >
              {words('cockpit.for', { team: nameOfSeat(session, each) })}
            </button>
          ))}
        </div>
      ) : (
        <p className="small muted">{words('cockpit.act-for', { team: nameOfSeat(session, seat) })}</p>
      )}
      <Answer
        key={key}
        ask={ask}
        chosen={chosen}
        choose={(values) => setChoice({ of: key, values })}
        isSending={ops.isSending}
        isAgain={false}
        isPaused={session.status === 'paused'}
        send={() => {
          const deed = ask.deed(chosen)
          if (deed.kind === 'act') void ops.send('act', deed.body)
          else if (deed.kind === 'claim') void ops.send('claim', deed.body)
        }}
      />
    </Section>
  )
}

/** Before the first step: who has come. */
function Starting({ session, ops }: Table) {
  return (
    <Section title={words('play.starting')}>
      <div className="btns">
        {session.seats.map(({ seat, name, present }) => (
          <button
            key={seat}
            type="button"
            className="btn"
            aria-disabled={ops.isSending || present}
            onClick={() => void ops.send('act', { action: 'present', seat })}
          >
            {words(present ? 'cockpit.is-here' : 'cockpit.here', { team: name })}
          </button>
        ))}
      </div>
    </Section>
  )
}

/** What was rolled at the table. */
function Rolls({ session, ops }: Table) {
  const [rolls, setRolls] = useState<Readonly<Record<number, string>>>({})
  return (
    <Section title={words('cockpit.rolls')}>
      <form
        className={styles.inline}
        onSubmit={(event) => {
          event.preventDefault()
          void ops.send('act', { action: 'roll', rolls: session.seats.map(({ seat }) => Number(rolls[seat])) })
        }}
      >
        {session.seats.map(({ seat, name }) => (
          <label key={seat} className="field">
            <bdi>{name}</bdi>
            <input
              className="in num"
              type="number"
              min={1}
              max={100}
              required
              value={rolls[seat] ?? ''}
              onChange={({ target }) => setRolls((before) => ({ ...before, [seat]: target.value }))}
            />
          </label>
        ))}
        <button type="submit" className="btn btn-primary" aria-disabled={ops.isSending}>
          {words('cockpit.save')}
        </button>
      </form>
    </Section>
  )
}
