import { Link, useParams } from '@tanstack/react-router'
import { FaultOf } from '../../chrome/faults.tsx'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { divisionIds, useDivisions, useTournament } from '../reads.ts'
import { partsOf } from './layout.ts'
import { Legend } from './legend.tsx'
import { BracketList, isTableFormat } from './list.tsx'
import { Tree } from './tree.tsx'

/** A bracket inside another website. */
export function EmbeddedBracket() {
  const { tournament, bracket } = useParams({ from: '/embed/t/$tournament/bracket/$bracket' })
  const place = useTournament().data
  const ids = divisionIds(useDivisions().data)
  const read = useRead(
    address('/tournaments/{tournament}/brackets/{bracket}', { tournament, bracket }, { delayed: true }),
    { live: true, delayed: true },
  )
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <div className="page wide">
      <Loaded of={read} rows={16}>
        {(found) => {
          const division = ids.get(found.division) ?? found.division
          const isEmpty = found.matches.length === 0
          return (
            <>
              <div className="title">
                <div>
                  <h1>
                    <bdi>{found.name}</bdi>
                  </h1>
                  <p>
                    <bdi>{place?.name}</bdi>
                  </p>
                </div>
                <Link
                  to="/t/$tournament/bracket/$division/$bracket"
                  params={{ tournament, division, bracket }}
                  className="btn"
                >
                  {words('embed.open')}
                </Link>
              </div>
              {isEmpty && <Empty>{words('bracket.empty')}</Empty>}
              {!isEmpty && isTableFormat(found) && (
                <BracketList
                  bracket={found}
                  tournament={tournament}
                  division={division}
                  zone={place?.timezone ?? 'UTC'}
                  isHidden={false}
                />
              )}
              {!isEmpty && !isTableFormat(found) && (
                <>
                  <Legend hasFollowed={false} />
                  {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a bracket wider than the page is scrolled by keys too */}
                  <section className="wide-content" aria-label={words('tournament.bracket')} tabIndex={0}>
                    <Tree
                      parts={partsOf(found)}
                      tournament={tournament}
                      division={division}
                      followed={undefined}
                      isHidden={false}
                      zoom={1}
                    />
                  </section>
                </>
              )}
              <p id="after-bracket" tabIndex={-1} className="unseen">
                {words('bracket.end')}
              </p>
            </>
          )
        }}
      </Loaded>
    </div>
  )
}
