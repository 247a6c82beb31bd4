import { Link, useParams } from '@tanstack/react-router'
import { FaultOf } from '../chrome/faults.tsx'
import { address } from '../data/api.ts'
import type { MapRecord } from '../data/generated.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { difficultyOf, FlairName, MapperLink, mapName, numberOf } from '../parts/map.tsx'
import { lengthOf } from '../parts/numbers.ts'
import { Section } from '../parts/section.tsx'
import { Instant } from '../parts/time.tsx'
import styles from './maps.module.css'

/** A map: what it is, in which pools it stood, and what was made of it in matches. */
export function MapPage() {
  const { map } = useParams({ from: '/maps/$map' })
  const read = useRead(address('/resources/pooling/maps/{mapGuid}', { mapGuid: map }))
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <div className="page stack">
      <Loaded of={read} rows={8} hasTitle>
        {(record) => <Whole map={record} />}
      </Loaded>
    </div>
  )
}

function Whole({ map }: { readonly map: MapRecord }) {
  return (
    <>
      <div className="title">
        <div>
          <h1 data-title={mapName(map)}>
            <bdi>{mapName(map)}</bdi>
            {map.subName !== null && (
              <>
                {' '}
                <bdi className="muted">{map.subName}</bdi>
              </>
            )}
          </h1>
          <p>
            {map.artist !== null && <bdi>{map.artist}</bdi>}
            {map.mapper !== null && (
              <>
                {map.artist !== null && ', '}
                {words('maps.mapped-by')} <MapperLink mapper={map.mapper} />
              </>
            )}
          </p>
        </div>
        {map.key !== null && (
          <p className="btns no-print">
            <span className="code">{map.key}</span>
            <CopyButton text={map.key} label={words('maps.copy')} />
          </p>
        )}
      </div>
      {map.state !== 'known' && <p className="notice notice-warning">{words(`maps.state-${map.state}`)}</p>}
      <div className="two">
        <div className="stack">
          <Uses map={map} />
          <Played map={map} />
        </div>
        <Facts map={map} />
      </div>
    </>
  )
}

function Uses({ map: { uses } }: { readonly map: MapRecord }) {
  return (
    <Section
      title={words('maps.where')}
      beside={<span className="muted">{words('maps.pool-count', { count: uses.length })}</span>}
    >
      {uses.length === 0 ? (
        <Empty>{words('maps.nowhere')}</Empty>
      ) : (
        <ul className="lines">
          {uses.map(({ tournament, pool, flair, publishedAt }) => (
            <li key={pool.guid} className={styles.use}>
              <div>
                <p>
                  <Link to="/pools/$pool" params={{ pool: pool.guid }} className="plain strong">
                    <bdi>{pool.name}</bdi>
                  </Link>
                </p>
                <p className="muted">
                  <Link to="/t/$tournament" params={{ tournament: tournament.id }} className="plain">
                    <bdi>{tournament.name}</bdi>
                  </Link>
                </p>
              </div>
              <FlairName flair={flair} />
              <span className="muted">
                <Instant at={publishedAt} as="day" />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const counts = ['picked', 'banned', 'protected', 'tiebreaker', 'played', 'wonByPicker', 'replays', 'scores'] as const

function Played({ map: { statistics } }: { readonly map: MapRecord }) {
  const isUnplayed = counts.every((name) => statistics[name] === 0)
  return (
    <Section title={words('maps.played')}>
      {isUnplayed ? (
        <Empty>{words('maps.unplayed')}</Empty>
      ) : (
        <dl className={styles.counts}>
          {counts.map((name) => (
            <div key={name}>
              <dt className="muted">{words(`maps.count-${name}`)}</dt>
              <dd className="num">{statistics[name]}</dd>
            </div>
          ))}
          {statistics.averageAccuracy !== null && (
            <div>
              <dt className="muted">{words('maps.accuracy')}</dt>
              <dd className="num">{accuracy.format(statistics.averageAccuracy)}</dd>
            </div>
          )}
        </dl>
      )}
    </Section>
  )
}

const accuracy = new Intl.NumberFormat('en', { style: 'percent', minimumFractionDigits: 2 })

function Facts({ map }: { readonly map: MapRecord }) {
  const facts = [
    ['maps.difficulty', difficultyOf(map)],
    ['maps.length', lengthOf(map.durationSeconds)],
    ['maps.bpm', numberOf(map.bpm)],
    ['maps.nps', numberOf(map.nps, 1)],
    ['maps.njs', numberOf(map.njs)],
    ['maps.notes', numberOf(map.notes)],
    ['maps.bombs', numberOf(map.bombs)],
    ['maps.obstacles', numberOf(map.obstacles)],
    ['maps.max-score', numberOf(map.maxScore)],
    ...(map.starsA === null ? [] : [['maps.stars-a', numberOf(map.starsA, 2)] as const]),
    ...(map.starsB === null ? [] : [['maps.stars-b', numberOf(map.starsB, 2)] as const]),
    ...(map.requirements.length === 0 ? [] : [['maps.needs', map.requirements.join(', ')] as const]),
  ] as const
  return (
    <Section title={words('maps.facts')}>
      <dl className="facts">
        {facts.map(([word, value]) => [<dt key={`${word} name`}>{words(word)}</dt>, <dd key={word}>{value}</dd>])}
      </dl>
    </Section>
  )
}
