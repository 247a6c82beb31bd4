import { Link } from '@tanstack/react-router'
import type { BracketWithMatches, TeamReference } from '../../../../client/generated.ts'
import { type WordId, words } from '../../data/words.ts'
import { AnnounceSwitch } from '../../parts/announcer.tsx'
import { EmbedButton } from '../../parts/embed.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PrintButton } from '../../parts/print.tsx'
import { SpoilerSwitch } from '../../parts/spoilers.tsx'
import styles from './page.module.css'

/** What can be done with a bracket: other views, a team to follow, the size, paper, a code for other websites. */

export type ViewName = 'tree' | 'list' | 'team'

const views: readonly (readonly [ViewName, WordId])[] = [
  ['tree', 'bracket.tree'],
  ['list', 'bracket.list'],
  ['team', 'bracket.team'],
]

export const zooms = [0.5, 0.65, 0.8, 1, 1.25, 1.5]
export const wholeSize = 3

interface ToolsProps {
  readonly bracket: BracketWithMatches
  readonly tournament: string
  readonly division: string
  readonly name: string
  readonly tournamentGuid: string | undefined
  readonly view: ViewName
  readonly teams: readonly TeamReference[]
  readonly chosen: TeamReference | undefined
  readonly follow: (team: TeamReference | undefined) => void
  readonly zoom: number
  readonly setZoom: (zoom: number) => void
}

export function Tools(props: ToolsProps) {
  const { bracket, tournament, division, name, tournamentGuid, view, teams, chosen, follow, zoom, setZoom } = props
  return (
    <div className={`btns no-print ${styles.tools}`}>
      <nav className="choices" aria-label={words('bracket.views')}>
        {views.map(([each, word]) => (
          <Link
            key={each}
            to="/t/$tournament/bracket/$division/$bracket"
            params={{ tournament, division, bracket: bracket.guid }}
            search={{ view: each, ...(chosen && { team: chosen.id }) }}
            className="btn"
            aria-current={view === each ? 'true' : undefined}
          >
            {words(word)}
          </Link>
        ))}
      </nav>
      <select
        className={`in ${styles.follow}`}
        aria-label={words('bracket.follow')}
        value={chosen?.id ?? ''}
        onChange={({ target }) => follow(teams.find(({ id }) => id === target.value))}
      >
        <option value="">{words('bracket.follow-nobody')}</option>
        {teams
          .toSorted((one, other) => one.name.localeCompare(other.name))
          .map((team) => (
            <option key={team.id} value={team.id}>
              {team === chosen ? words('bracket.following', { team: team.name }) : team.name}
            </option>
          ))}
      </select>
      {view === 'tree' && <Zoom zoom={zoom} setZoom={setZoom} />}
      <PrintButton isSmall />
      <EmbedButton
        path={`/embed/t/${encodeURIComponent(tournament)}/bracket/${bracket.guid}`}
        title={`${bracket.name}, ${name}`}
      />
      <SpoilerSwitch tournament={tournamentGuid} />
      {bracket.matches.some(({ status }) => status === 'running') && <AnnounceSwitch page="bracket" />}
    </div>
  )
}

function Zoom({ zoom, setZoom }: Pick<ToolsProps, 'zoom' | 'setZoom'>) {
  const percent = Math.round((zooms[zoom] ?? 1) * 100)
  return (
    <fieldset className={`choices ${styles.zoom}`}>
      <legend className="unseen">{words('bracket.size')}</legend>
      <button
        type="button"
        className="btn btn-icon"
        aria-disabled={zoom === 0}
        aria-label={words('bracket.smaller')}
        onClick={() => setZoom(zoom - 1)}
      >
        <Icon name="minus" />
      </button>
      <button
        type="button"
        className="btn num"
        aria-label={words('bracket.size-reset', { percent })}
        onClick={() => setZoom(wholeSize)}
      >
        {percent} %
      </button>
      <button
        type="button"
        className="btn btn-icon"
        aria-disabled={zoom === zooms.length - 1}
        aria-label={words('bracket.larger')}
        onClick={() => setZoom(zoom + 1)}
      >
        <Icon name="plus" />
      </button>
    </fieldset>
  )
}
