import { useEffect, useId, useRef, useState } from 'react'
import { words } from '../../data/words.ts'
import { Section } from '../../parts/section.tsx'
import styles from './control.module.css'
import { sideNames, useShown } from './shown.ts'
import values from './values.module.css'

/** Whether the card of the song is shown, and which player is heard. */

const cards = ['auto', 'shown', 'hidden'] as const

export function SongCard() {
  const { control, data, acts } = useShown()
  const map = data?.map
  return (
    <Section
      title={words('control.card')}
      beside={
        <span className="muted">
          <bdi>{map?.name ?? words('control.no-map')}</bdi>
        </span>
      }
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has no look of a row of buttons */}
      <div className={`choices ${styles.choice}`} role="group" aria-label={words('control.card')}>
        {cards.map((each) => (
          <button
            key={each}
            type="button"
            className="btn"
            aria-pressed={control.mapCard === each}
            onClick={() => void acts.send({ mapCard: each })}
          >
            {words(`control.card-${each}`)}
          </button>
        ))}
      </div>
    </Section>
  )
}

export function Sound() {
  const { control, data, acts } = useShown()
  const { active, muted } = control.audio
  const [one, other] = sideNames(data)
  const sides = [
    [0, one],
    [1, other],
    [2, words('control.both')],
  ] as const
  return (
    <Section title={words('control.sound')} beside={<span className="muted">{words('control.sound-of')}</span>}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has no look of a row of buttons */}
      <div className={`choices ${styles.choice} ${styles.sounds}`} role="group" aria-label={words('control.sound')}>
        {sides.map(([side, name]) => (
          <button
            key={side}
            type="button"
            className={`btn ${side === 2 ? '' : styles[`side${side}`]}`}
            aria-pressed={!muted && active === side}
            onClick={() => void acts.send({ audio: { active: side, muted: false } })}
          >
            {side !== 2 && <span className={styles.dot} />}
            <bdi>{name}</bdi>
          </button>
        ))}
        <button
          type="button"
          className="btn"
          aria-pressed={muted}
          onClick={() => void acts.send({ audio: { muted: true } })}
        >
          {words('control.muted')}
        </button>
      </div>
      <Volume />
    </Section>
  )
}

/** How long a slider rests before its value counts, in milliseconds. */
const restMs = 250

function Volume() {
  const { control, acts } = useShown()
  const id = useId()
  const { volume } = control.audio
  const [moved, setMoved] = useState<number | null>(null)
  const latest = useRef(acts)
  latest.current = acts
  // A slider tells of each value on the way: the last one counts.
  useEffect(() => {
    if (moved === null) return
    const timer = setTimeout(() => {
      void latest.current.send({ audio: { volume: moved / 100 } }).then(() => setMoved(null))
    }, restMs)
    return () => clearTimeout(timer)
  }, [moved])
  const shown = moved ?? Math.round(volume * 100)
  return (
    <div className={values.volume}>
      <label htmlFor={id}>{words('control.volume')}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={100}
        step={5}
        value={shown}
        aria-valuetext={words('control.percent', { percent: shown })}
        onChange={({ target }) => setMoved(Number(target.value))}
      />
      <span className="num" aria-hidden="true">
        {words('control.percent', { percent: shown })}
      </span>
    </div>
  )
}
