import { Link, useParams } from '@tanstack/react-router'
import type { Pool, PoolMap } from '../../../client/generated.ts'
import { FaultOf } from '../chrome/faults.tsx'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { PrintButton, Printed } from '../parts/print.tsx'
import { Section } from '../parts/section.tsx'
import { Texts } from '../parts/texts.tsx'
import { Instant } from '../parts/time.tsx'
import { difficultyOf, FlairName, lengthOf, MapLink, MapperLink, numberOf } from './parts.tsx'

/** A published pool in the archive, as everybody sees it. */
export function PoolPage() {
  const { pool } = useParams({ from: '/pools/$pool' })
  const read = useRead(address('/resources/pooling/pools/{poolGuid}', { poolGuid: pool }))
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <Printed name={read.data?.tournament.name} className="page stack">
      <Loaded of={read} rows={12}>
        {(found) => <Whole pool={found} />}
      </Loaded>
    </Printed>
  )
}

function Whole({ pool }: { readonly pool: Pool }) {
  const { tournament, name, description, kind, status, publishedAt, playlistUrl, maps } = pool
  return (
    <>
      <div className="title">
        <div>
          <h1>
            <bdi>{name}</bdi>
          </h1>
          <p>
            <Link to="/t/$tournament" params={{ tournament: tournament.id }}>
              <bdi>{tournament.name}</bdi>
            </Link>
            , {words(`pool.${kind}`)}
            {status === 'archived' && `, ${words('pool.archived')}`}
            {publishedAt !== null && (
              <>
                , {words('pool.published')} <Instant at={publishedAt} as="day" />
              </>
            )}
          </p>
        </div>
        <div className="btns no-print">
          <a className="btn" href={playlistUrl} download>
            {words('pool.playlist')}
          </a>
          <PrintButton isSmall />
        </div>
      </div>
      {description !== null && <Texts of={description} />}
      <Section
        title={words('maps.title')}
        beside={<span className="muted">{words('pool.count', { count: maps.length })}</span>}
      >
        {maps.length === 0 ? <Empty>{words('pool.empty')}</Empty> : <PoolTable maps={maps} />}
      </Section>
    </>
  )
}

/** `DisappearingArrows` as "Disappearing arrows". */
const spaced = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Categories are often named like what they are for. */
const isCalledSo = (flair: PoolMap['flair']) =>
  flair?.name.toLowerCase() === words('maps.count-tiebreaker').toLowerCase()

function PoolTable({ maps }: { readonly maps: readonly PoolMap[] }) {
  return (
    <table className="table">
      <caption className="unseen">{words('maps.title')}</caption>
      <thead>
        <tr>
          <th scope="col">{words('maps.map')}</th>
          <th scope="col" className="narrow">
            {words('maps.flair')}
          </th>
          <th scope="col" className="only-wide">
            {words('maps.mapper')}
          </th>
          <th scope="col" className="narrow only-wide">
            {words('maps.difficulty')}
          </th>
          <th scope="col" className="n narrow only-wide">
            {words('maps.length')}
          </th>
          <th scope="col" className="n narrow only-wide">
            {words('maps.nps')}
          </th>
          <th scope="col" className="n narrow only-wide">
            {words('maps.key')}
          </th>
        </tr>
      </thead>
      <tbody>
        {maps.map(({ guid, map, flair, isTiebreaker, note, modifiers }) => (
          <tr key={guid}>
            <th scope="row">
              <MapLink map={map} />
              <p className="only-narrow small muted">
                <bdi>{map.mapper ?? '–'}</bdi>, {difficultyOf(map)}, {lengthOf(map.durationSeconds)}
              </p>
              {modifiers.length > 0 && <p className="small">{modifiers.map(spaced).join(', ')}</p>}
              {note !== null && (
                <p className="small" dir="auto">
                  {note}
                </p>
              )}
            </th>
            <td className="narrow">
              <FlairName flair={flair} />
              {isTiebreaker && !isCalledSo(flair) && <p className="strong">{words('maps.count-tiebreaker')}</p>}
            </td>
            <td className="only-wide">
              <MapperLink mapper={map.mapper} />
            </td>
            <td className="narrow only-wide">{difficultyOf(map)}</td>
            <td className="n only-wide">{lengthOf(map.durationSeconds)}</td>
            <td className="n only-wide">{numberOf(map.nps, 1)}</td>
            <td className="n only-wide code">{map.key ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
