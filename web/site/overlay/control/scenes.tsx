import { type RefObject, useState } from 'react'
import { prefer, usePreferences } from '../../data/preferences.ts'
import { words } from '../../data/words.ts'
import { useActKeys } from '../../parts/act-keys.ts'
import { useIsLost } from '../../parts/connected.tsx'
import { Key } from '../../parts/key.tsx'
import { Empty } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import styles from './control.module.css'
import { Picture } from './picture.tsx'
import { nextByItself, type Scene, useShown } from './shown.ts'

/** The scenes as buttons: the first nine have the digits. (OV15) */

interface Props {
  readonly document: unknown
  /** Where keys work. */
  readonly place: RefObject<HTMLElement | null>
}

export function Scenes({ document, place }: Props) {
  const shown = useShown()
  const { control, scenes, acts, mayControl, overlay } = shown
  const { previews } = usePreferences()
  const [chosen, choose] = useState<string | null>(null)
  const next = scenes.find(({ id }) => id === chosen && previews)
  const byItself = nextByItself(shown)
  const following = 'scene' in byItself ? byItself.scene.id : null
  // A scene that is chosen is to be seen, also where nothing was shown until now.
  const take = (id: string) => {
    choose(null)
    void acts.send({ scene: id, ...(control.blank && { blank: false }) })
  }
  const press = (id: string) =>
    previews && chosen !== id && (control.blank || id !== control.scene) ? choose(id) : take(id)
  const other = (key: string) => {
    // On a button, Enter presses the button.
    if (key !== 'enter' || next === undefined || globalThis.document.activeElement?.closest('a, button, summary'))
      return false
    take(next.id)
    return true
  }
  useActKeys(place, { other })
  return (
    <Section
      title={words('control.scenes')}
      beside={
        mayControl && (
          <div className={styles.choices}>
            <label className="choice">
              <input
                type="checkbox"
                checked={control.autoAdvance}
                onChange={({ target }) => void acts.send({ autoAdvance: target.checked })}
              />
              {words('control.follow')}
            </label>
            {control.autoAdvance && <Delay />}
            <label className="choice">
              <input
                type="checkbox"
                checked={previews}
                onChange={({ target }) => prefer({ previews: target.checked })}
              />
              {words('control.look-first')}
            </label>
          </div>
        )
      }
    >
      {next !== undefined && (
        <div className={styles.next}>
          <div className={styles.screen}>
            <Picture
              overlay={overlay.guid}
              label={words('control.preview-of', { scene: next.name })}
              document={document}
              control={{ ...control, scene: next.id, blank: false }}
              data={shown.data}
            />
          </div>
          <div className={styles.take}>
            <p>
              {words('control.not-yet')} <bdi className="strong">{next.name}</bdi>
            </p>
            <button type="button" className="btn btn-primary" onClick={() => take(next.id)}>
              {words('control.take')} <Key of="Enter" />
            </button>
            <button type="button" className="btn" onClick={() => choose(null)}>
              {words('control.leave')}
            </button>
          </div>
        </div>
      )}
      {scenes.length === 0 && <Empty>{words('control.no-scenes')}</Empty>}
      <div className={styles.scenes}>
        {scenes.map((scene, at) => (
          <SceneButton
            key={scene.id}
            scene={scene}
            digit={at < 9 ? String(at + 1) : null}
            isNext={scene.id === following}
            isChosen={scene === next}
            press={() => press(scene.id)}
          />
        ))}
      </div>
      <button
        type="button"
        className={`${styles.big} ${styles.blank}`}
        aria-pressed={control.blank}
        disabled={!mayControl}
        data-key="b"
        data-sending={acts.sending.blank !== undefined || undefined}
        onClick={() => void acts.send({ blank: !control.blank })}
      >
        <span className={styles.title}>{words(control.blank ? 'control.show-again' : 'control.show-nothing')}</span>
        <span className={styles.what}>{words(control.blank ? 'control.is-blank' : 'control.blank-what')}</span>
        <Key of="b" />
      </button>
    </Section>
  )
}

const delays = [0, 2, 4, 8, 15, 30] as const

/** How long the summary of a map is shown before what follows by itself. (OV14) */
function Delay() {
  const { control, acts } = useShown()
  const seconds = control.autoDelayMs / 1_000
  const all = [...new Set([...delays, seconds])].toSorted((one, other) => one - other)
  return (
    <label className="choice">
      {words('control.delay')}
      <select
        className="in"
        value={seconds}
        onChange={({ target }) => void acts.send({ autoDelayMs: Number(target.value) * 1_000 })}
      >
        {all.map((each) => (
          <option key={each} value={each}>
            {words('control.seconds', { seconds: each })}
          </option>
        ))}
      </select>
    </label>
  )
}

interface SceneProps {
  readonly scene: Scene
  readonly digit: string | null
  /** Whether it follows by itself. */
  readonly isNext: boolean
  readonly isChosen: boolean
  readonly press: () => void
}

function SceneButton({ scene: { id, name }, digit, isNext, isChosen, press }: SceneProps) {
  const { control, acts, mayControl } = useShown()
  const isLost = useIsLost()
  const isOn = control.scene === id
  const isSeen = isOn && !control.blank
  const isSending = acts.sending.scene === id && !isSeen
  return (
    <button
      type="button"
      className={styles.big}
      aria-pressed={isSeen}
      disabled={!mayControl}
      data-chosen={isChosen || undefined}
      data-sending={isSending || undefined}
      {...(digit !== null && { 'data-key': digit })}
      onClick={press}
    >
      <bdi className={styles.title}>{name}</bdi>
      <span className={styles.what}>
        {isSeen ? (
          <State shape={isLost ? 'problem' : 'running'}>
            {words(isLost ? 'control.last-known' : 'control.on-air')}
          </State>
        ) : isSending ? (
          words('control.sending')
        ) : isChosen ? (
          words('control.chosen')
        ) : isOn ? (
          words('control.behind')
        ) : isNext ? (
          words('control.next')
        ) : (
          ''
        )}
      </span>
      {digit !== null && <Key of={digit} />}
    </button>
  )
}
