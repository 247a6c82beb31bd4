import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Map as CatalogueMap } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { Icon } from '../../parts/icon.tsx'
import { difficultyOf, mapName, numberOf } from '../../parts/map.tsx'
import { lengthOf } from '../../parts/numbers.ts'
import { State } from '../../parts/state.tsx'
import { Cover } from './map-line.tsx'
import styles from './pools.module.css'

/** The map that is open next to a list, with everything that is known of it. */
export function Detail({
  map,
  isPublic,
  children,
}: {
  readonly map: CatalogueMap
  /** Whether everybody may see it. */
  readonly isPublic: boolean
  readonly children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const name = mapName(map)
  useEffect(() => {
    // Not where the page begins with it.
    if (document.activeElement !== document.body) heading.current?.focus()
  }, [])
  return (
    <aside className={styles.detail} aria-label={name}>
      <header>
        <Cover map={map} isPublic={isPublic} isLarge />
        <div className={styles.named}>
          <h2 ref={heading} tabIndex={-1}>
            <bdi>{name}</bdi>
          </h2>
          <p className="muted">
            <bdi>{map.artist ?? '–'}</bdi>
            {map.mapper !== null && (
              <>
                , {words('maps.mapped-by')} <bdi>{map.mapper}</bdi>
              </>
            )}
          </p>
        </div>
        <Link
          from="/manage/$tournament/pools/$pool"
          to="."
          search={({ open: _open, ...others }) => others}
          className="btn btn-quiet btn-icon"
          aria-label={words('dialog.close')}
          resetScroll={false}
        >
          <Icon name="close" />
        </Link>
      </header>
      <Facts map={map} />
      {children}
    </aside>
  )
}

function Facts({ map }: { readonly map: CatalogueMap }) {
  const { key, durationSeconds, nps, njs, bpm, notes, starsA, starsB, requirements, state } = map
  const stars = [starsA, starsB].filter((each) => each !== null)
  const facts = [
    [words('maps.difficulty'), difficultyOf(map)],
    [words('maps.length'), lengthOf(durationSeconds)],
    [words('maps.nps'), numberOf(nps, 1)],
    [words('map.njs'), numberOf(njs, 1)],
    [words('map.bpm'), numberOf(bpm)],
    [words('maps.notes'), numberOf(notes)],
    ...(stars.length > 0 ? [[words('maps.stars'), stars.map((each) => numberOf(each, 2)).join(' / ')] as const] : []),
    ...(requirements.length > 0 ? [[words('maps.needs'), requirements.join(', ')] as const] : []),
  ] as const
  return (
    <>
      {state !== 'known' && (
        <p>
          <State shape="problem" tone="warning">
            {words(`maps.state-${state}`)}
          </State>
        </p>
      )}
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="small muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {key !== null && (
          <div>
            <dt className="small muted">{words('maps.key')}</dt>
            <dd>
              <span className="code">{key}</span>
              <CopyButton text={key} label={words('map.copy-key', { name: mapName(map) })} isQuiet />
            </dd>
          </div>
        )}
      </dl>
    </>
  )
}
