import { useEffect, useRef } from 'react'
import { words } from '../../data/words.ts'
import { useAnnouncer } from '../../parts/announcer.tsx'
import { Changed } from '../../parts/changed.tsx'
import { Connected, useIsLost } from '../../parts/connected.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './control.module.css'
import { Picture } from './picture.tsx'
import { nextByItself, type Shown, sideNames, useShown } from './shown.ts'

/** What is on air now: the page itself, and the same in words. */
export function OnAir({ document, isStrip }: { readonly document: unknown; readonly isStrip: boolean }) {
  const shown = useShown()
  const { overlay, control, data } = shown
  const scene = sceneName(shown)
  const label = words('control.picture', { what: [scene, matchSaid(shown)].filter(Boolean).join(', ') })
  useToldScene(scene)
  const isLost = useIsLost()
  return (
    <section className={styles.air} aria-label={words('control.now')}>
      <div className={styles.screen} data-off={isLost || control.blank || undefined}>
        {overlay.published === null ? (
          <p>{words('control.publish-first')}</p>
        ) : (
          <Picture overlay={overlay.guid} label={label} document={document} control={control} data={data} />
        )}
        {overlay.published !== null && control.blank && <p>{words('control.blank-now')}</p>}
      </div>
      <dl className={styles.now}>
        <div>
          <dt>{words('control.scene')}</dt>
          <dd>
            <Changed of={scene}>{scene}</Changed>
          </dd>
        </div>
        <div>
          <dt>{words('control.match')}</dt>
          <dd>
            <Changed of={control.matchGuid}>
              <bdi>{matchSaid(shown) ?? words('control.no-match')}</bdi>
            </Changed>
          </dd>
        </div>
        {!isStrip && (
          <div>
            <dt>{words('control.then')}</dt>
            <dd className={styles.then}>
              <Connected>
                <Then />
              </Connected>
            </dd>
          </div>
        )}
        <div>
          <dt>{words('control.changed')}</dt>
          <dd>
            <LastChange />
          </dd>
        </div>
      </dl>
    </section>
  )
}

function sceneName({ overlay, control, scenes }: Shown): string {
  if (overlay.published === null) return words('control.nothing')
  if (control.blank) return words('control.nothing')
  return scenes.find(({ id }) => id === control.scene)?.name ?? scenes[0]?.name ?? words('control.nothing')
}

/** The match with its score, in the order in which its sides are shown. */
function matchSaid({ control, data }: Shown): string | null {
  if (control.matchGuid === null || data?.match?.guid !== control.matchGuid) return null
  const [one, other] = sideNames(data)
  const [first, second] = data.sides.map(({ score }) => score)
  const { number } = data.match
  if (first == null || second == null) return words('control.pairing', { number: number ?? 0, one, other })
  return words('control.score', { number: number ?? 0, one, other, first, second })
}

function Then() {
  const { acts, mayControl, ...shown } = useShown()
  const next = nextByItself(shown)
  if ('why' in next)
    return (
      <>
        <span className={styles.light}>{words(`control.then-${next.why}`)}</span>
        {next.why === 'off' && mayControl && (
          <button type="button" className="btn" onClick={() => void acts.send({ autoAdvance: true })}>
            {words('control.follow-again')}
          </button>
        )}
      </>
    )
  const seconds = shown.control.autoDelayMs / 1_000
  return (
    <>
      {words(`control.then-${next.when}`, { scene: next.scene.name, seconds })}
      {mayControl && (
        <button type="button" className="btn" onClick={() => void acts.send({ autoAdvance: false })}>
          {words('control.stay')}
        </button>
      )}
    </>
  )
}

function LastChange() {
  const { revision, updatedAt, updatedBy } = useShown().control
  if (revision === 0) return <span className={styles.light}>{words('control.unchanged')}</span>
  return (
    <Changed of={revision}>
      <bdi>{updatedBy == null ? words('control.by-match') : updatedBy.preferredName || updatedBy.username}</bdi>
      <span className={styles.light}>
        , <Instant at={updatedAt} as="time" />
      </span>
    </Changed>
  )
}

/** Says which scene is shown, for those who hear the page. */
function useToldScene(scene: string): void {
  const announce = useAnnouncer<string>((pieces) => words('control.told', { scene: pieces.at(-1) ?? '' }))
  const before = useRef(scene)
  useEffect(() => {
    if (before.current !== scene) announce(scene)
    before.current = scene
  }, [scene, announce])
}
