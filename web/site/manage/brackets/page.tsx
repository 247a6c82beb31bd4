import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useDivisions, useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Blocks, Empty, Loaded } from '../../parts/loaded.tsx'
import { Divisions } from './divisions.tsx'

/** The divisions with their brackets; or, by the address, the wizard that makes one of them. */

const Wizard = lazy(() => import('./wizard.tsx').then((parts) => ({ default: parts.Wizard })))

const route = getRouteApi('/manage/$tournament/brackets')

export function ManageBrackets() {
  const search = route.useSearch()
  const tournament = useTournamentId()
  const name = useTournament().data?.name ?? ''
  const read = useDivisions()
  const isWizard = search.new !== undefined || search.again !== undefined
  return (
    <div className="page wide stack">
      <Loaded of={read} rows={8} title={words('draw.title')}>
        {(divisions) => {
          const again = divisions
            .flatMap(({ brackets }) => brackets)
            .find(({ guid }) => search.again !== undefined && guid === search.again)
          const division = divisions.find(({ id, guid }) =>
            again === undefined ? id === search.new || guid === search.new : guid === again.division,
          )
          if (isWizard && division === undefined)
            return (
              <>
                <h1>{words('draw.title')}</h1>
                <Empty>{words('draw.gone')}</Empty>
              </>
            )
          if (division === undefined) return <Divisions divisions={divisions} tournament={tournament} name={name} />
          return (
            <Suspense fallback={<Blocks rows={8} hasTitle />}>
              <Wizard
                key={again?.guid ?? division.guid}
                {...{ division, divisions, tournament, again }}
                tournamentName={name}
              />
            </Suspense>
          )
        }}
      </Loaded>
    </div>
  )
}
