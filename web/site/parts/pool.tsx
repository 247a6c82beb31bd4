import type { Pool, PoolChange, PoolMap } from '../../../client/generated.ts'
import { words } from '../data/words.ts'
import { CopyButton } from './copy.tsx'
import { Icon } from './icon.tsx'
import { Empty } from './loaded.tsx'
import { difficultyOf, FlairName, MapLink, MapperLink, mapName } from './map.tsx'
import { decimalOf, lengthOf } from './numbers.ts'
import styles from './pool.module.css'
import { PrintButton } from './print.tsx'
import { Prose } from './prose.tsx'
import { Section } from './section.tsx'
import { Instant } from './time.tsx'

/** A pool below its heading, in the archive and in its tournament: its text, its maps, its corrections. */
export function PoolBody({ pool }: { readonly pool: Pool }) {
  const { html, maps, changes, name } = pool
  return (
    <>
      {html?.description && <Prose html={html.description} />}
      <Section
        title={words('maps.title')}
        beside={<span className="muted">{words('pool.count', { count: maps.length })}</span>}
      >
        {maps.length === 0 ? <Empty>{words('pool.empty')}</Empty> : <Maps maps={maps} name={name} />}
      </Section>
      {changes.length > 0 && (
        <Section title={words('pool.changes')}>
          <ul className={`lines ${styles.changes}`}>
            {changes.map((change) => (
              <Change key={change.revision} change={change} />
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

/** What is done with a pool: its playlist is loaded, on the origin of the page, since else it would be shown. */
export function PoolActs({ pool }: { readonly pool: Pool }) {
  return (
    <div className="btns no-print">
      {pool.status !== 'draft' && <PlaylistLink pool={pool} isPrimary />}
      <PrintButton isSmall />
    </div>
  )
}

interface PlaylistProps {
  readonly pool: Pick<Pool, 'name' | 'playlistUrl'>
  readonly isPrimary?: boolean
}

/** The playlist, on the origin of the page: browsers ignore `download` for other origins. */
export function PlaylistLink({ pool, isPrimary = false }: PlaylistProps) {
  return (
    <a className={`btn no-print ${isPrimary ? 'btn-primary' : ''}`} href={new URL(pool.playlistUrl).pathname} download>
      <Icon name="download" />
      {words('pool.playlist')}
      <span className="unseen">{words('pool.download-of', { name: pool.name })}</span>
    </a>
  )
}

/** `DisappearingArrows` as "Disappearing arrows". */
const spaced = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Categories are often named like what they are for. */
const isCalledSo = (flair: PoolMap['flair']) =>
  flair?.name.toLowerCase() === words('maps.count-tiebreaker').toLowerCase()

function Maps({ maps, name }: { readonly maps: readonly PoolMap[]; readonly name: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the page is scrolled by keys too
    <section className="wide-content" tabIndex={0} aria-label={words('pool.maps-of', { name })}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="narrow only-wide">
              {words('maps.flair')}
            </th>
            <th scope="col">{words('maps.map')}</th>
            <th scope="col" className="only-wide">
              {words('maps.mapper')}
            </th>
            <th scope="col" className="narrow only-wide">
              {words('maps.difficulty')}
            </th>
            <th scope="col" className="n narrow only-wide">
              {words('maps.length')}
            </th>
            <th scope="col" className={`n narrow ${styles.numbers}`}>
              {words('map.bpm')}
            </th>
            <th scope="col" className={`n narrow ${styles.numbers}`}>
              {words('map.njs')}
            </th>
            <th scope="col" className={`n narrow ${styles.numbers}`}>
              {words('maps.nps')}
            </th>
            <th scope="col" className="narrow">
              {words('maps.key')}
            </th>
          </tr>
        </thead>
        <tbody>
          {maps.map((each) => (
            <Row key={each.guid} of={each} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

const numberOf = (value: number | null) => (value === null ? '–' : decimalOf(value))

function Row({ of: { map, flair, isTiebreaker, modifiers, note } }: { readonly of: PoolMap }) {
  const { mapper, durationSeconds, bpm, njs, nps, key } = map
  return (
    <tr>
      <td className="narrow only-wide">
        <FlairName flair={flair} />
        {isTiebreaker && !isCalledSo(flair) && <p className="strong">{words('maps.count-tiebreaker')}</p>}
      </td>
      <th scope="row">
        <MapLink map={map} />
        <p className={`only-narrow small ${styles.facts}`}>
          <FlairName flair={flair} />
          {isTiebreaker && !isCalledSo(flair) && <b>{words('maps.count-tiebreaker')}</b>}
          <span className="muted">
            <bdi>{mapper ?? '–'}</bdi>, {difficultyOf(map)}, {lengthOf(durationSeconds)}
          </span>
        </p>
        {modifiers.length > 0 && <p className="small">{modifiers.map(spaced).join(', ')}</p>}
        {note !== null && (
          <p className="small" dir="auto">
            {note}
          </p>
        )}
      </th>
      <td className="only-wide">
        <MapperLink mapper={mapper} />
      </td>
      <td className="narrow only-wide">{difficultyOf(map)}</td>
      <td className="n only-wide">{lengthOf(durationSeconds)}</td>
      <td className={`n ${styles.numbers}`}>{numberOf(bpm)}</td>
      <td className={`n ${styles.numbers}`}>{numberOf(njs)}</td>
      <td className={`n ${styles.numbers}`}>{numberOf(nps)}</td>
      <td className="narrow">
        {key !== null && (
          <span className={styles.key}>
            <span className="code">{key}</span>
            <CopyButton text={key} label={words('map.copy-key', { name: mapName(map) })} isQuiet />
          </span>
        )}
      </td>
    </tr>
  )
}

const namesOf = (maps: readonly PoolMap[] | null): string => maps?.map(({ map }) => mapName(map)).join(', ') ?? ''

function Change({ change: { at, kind, before, after, reason } }: { readonly change: PoolChange }) {
  return (
    <li>
      <Instant at={at} />
      <div>
        <p dir="auto">{words(`pool.${kind}`, { before: namesOf(before), after: namesOf(after) })}</p>
        {reason !== null && (
          <p className="muted" dir="auto">
            {reason}
          </p>
        )}
      </div>
    </li>
  )
}
