import { Link, useParams } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useRef } from 'react'
import type { BracketWithMatches } from '../../../../client/generated.ts'
import { FaultOf } from '../../chrome/faults.tsx'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { divisionIds, useDivisions, useTournament } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import type { View } from '../../parts/bracket/cell.tsx'
import { partsOf } from '../../parts/bracket/layout.ts'
import { RoundsBar } from '../../parts/bracket/rounds-bar.tsx'
import { Blocks, Empty, Loaded } from '../../parts/loaded.tsx'
import { Legend } from './legend.tsx'
import { BracketTables } from './list.tsx'
import styles from './page.module.css'
import { Tree } from './tree.tsx'

/** A bracket inside another website. */
export function EmbeddedBracket() {
  const { tournament, bracket } = useParams({ from: '/embed/t/$tournament/bracket/$bracket' })
  const place = useTournament().data
  const ids = divisionIds(useDivisions().data)
  const read = useRead(
    address('/tournaments/{tournament}/brackets/{bracket}', { tournament, bracket }, { delayed: true }),
    { live: true },
  )
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <div className="page wide">
      <Loaded of={read} rows={16} hasTitle>
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
              {!isEmpty && <Drawing bracket={found} tournament={tournament} division={division} />}
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

const nobody: ReadonlySet<string> = new Set()

function Drawing({
  bracket,
  tournament,
  division,
}: {
  readonly bracket: BracketWithMatches
  readonly tournament: string
  readonly division: string
}) {
  const drawn = useDeferredValue<BracketWithMatches | null>(bracket, null)
  const parts = useMemo(() => (drawn === null ? null : partsOf(drawn)), [drawn])
  const view = useMemo(
    (): View => ({
      base: `/t/${encodeURIComponent(tournament)}/m/${encodeURIComponent(division)}`,
      numbers: new Map(drawn?.matches.map(({ guid, number }) => [guid, number])),
      followed: undefined,
      own: nobody,
      isHidden: false,
    }),
    [drawn, tournament, division],
  )
  const scroller = useRef<HTMLElement>(null)
  if (parts === null) return <Blocks rows={16} />
  return (
    <div className={`${styles.views} ${styles.embedded}`}>
      <BracketTables bracket={bracket} tournament={tournament} />
      <div>
        <Legend bracket={bracket} />
        <RoundsBar parts={parts} scroller={scroller} />
        <section
          ref={scroller}
          className={`wide-content ${styles.scroller}`}
          aria-label={words('bracket.drawing', { name: bracket.name })}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a bracket wider than the page is scrolled by keys too
          tabIndex={0}
        >
          <Tree parts={parts} view={view} zoom={1} />
        </section>
      </div>
    </div>
  )
}
