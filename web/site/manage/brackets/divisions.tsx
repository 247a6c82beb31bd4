import { Link } from '@tanstack/react-router'
import type { DivisionWithBrackets, ListedBracket } from '../../../../client/generated.ts'
import { useMay, useTournament } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Empty } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import styles from './brackets.module.css'
import { DeleteBracket, DeleteDivision } from './deleting.tsx'
import { BracketNaming, DivisionNaming, NewDivision } from './naming.tsx'
import { PairRound } from './pairing.tsx'

/** The divisions of the tournament, each with its brackets and what can be done with them until it is over. (D25) */

interface Props {
  readonly divisions: readonly DivisionWithBrackets[]
  readonly tournament: string
  readonly name: string
}

export function Divisions({ divisions, tournament, name }: Props) {
  const isEmpty = divisions.every(({ brackets }) => brackets.length === 0)
  const status = useTournament().data?.status
  const isOver = status === 'completed' || status === 'cancelled'
  return (
    <>
      <div className="title">
        <div>
          <h1 data-title={`${words('draw.title')} · ${name}`}>{words('draw.title')}</h1>
          <p>{words('draw.intro')}</p>
        </div>
      </div>
      {isOver && <p className="notice">{words('draw.over')}</p>}
      {divisions.map((division) => (
        <Division
          key={division.guid}
          {...{ division, tournament, isOver }}
          isFirst={isEmpty && division === divisions[0]}
        />
      ))}
      {!isOver && (
        <Section title={words(divisions.length === 0 ? 'draw.first-division' : 'draw.new-division')}>
          <p className="muted">{words(divisions.length === 0 ? 'draw.no-division' : 'draw.about-divisions')}</p>
          <NewDivision tournament={tournament} isFirst={divisions.length === 0} />
        </Section>
      )}
    </>
  )
}

function Division({
  division,
  tournament,
  isOver,
  isFirst,
}: {
  readonly division: DivisionWithBrackets
  readonly tournament: string
  readonly isOver: boolean
  readonly isFirst: boolean
}) {
  const { brackets } = division
  return (
    <Section
      title={<bdi>{division.name}</bdi>}
      beside={
        !isOver && (
          <div className="btns">
            <DivisionNaming division={division} tournament={tournament} />
            <DeleteDivision division={division} tournament={tournament} />
            <Link
              to="/manage/$tournament/brackets"
              params={{ tournament }}
              search={{ new: division.id }}
              className={`btn ${isFirst ? 'btn-primary' : ''}`}
            >
              {words('draw.new')}
              <span className="unseen"> {division.name}</span>
            </Link>
          </div>
        )
      }
    >
      {brackets.length === 0 && <Empty>{words('draw.no-bracket')}</Empty>}
      <ul className="lines">
        {brackets.map((bracket) => (
          <Bracket key={bracket.guid} {...{ bracket, tournament, isOver }} division={division.id} />
        ))}
      </ul>
    </Section>
  )
}

const shapes = { draft: 'waiting', ready: 'ready', running: 'running', completed: 'done' } as const

function Bracket({
  bracket,
  tournament,
  isOver,
  division,
}: {
  readonly bracket: ListedBracket
  readonly tournament: string
  readonly isOver: boolean
  readonly division: string
}) {
  const may = useMay()
  const { guid, name, format, status, entrants, rounds, limited } = bracket
  const teams = entrants.filter(({ team }) => team !== null).length
  const matches = rounds.reduce((sum, { matchGuids }) => sum + matchGuids.length, 0)
  return (
    <li className={styles.bracket}>
      <div>
        <h3>
          <Link to="/t/$tournament/bracket/$division/$bracket" params={{ tournament, division, bracket: guid }}>
            <bdi>{name}</bdi>
          </Link>
        </h3>
        <p>
          <State shape={shapes[status]} tone={status === 'running' ? 'run' : 'quiet'}>
            {words(`draw.status-${status}`)}
          </State>
        </p>
        <p className="muted">
          {words(`format.${format}`)}
          {limited !== true &&
            `, ${words('draw.filled', { teams, places: entrants.length })}, ${words('draw.matches', { count: matches })}`}
        </p>
      </div>
      {!isOver && (
        <div className="btns">
          {may('brackets.placeEntrants') && (
            <Link
              to="/manage/$tournament/brackets/$bracket/seeding"
              params={{ tournament, bracket: guid }}
              className="btn"
            >
              {words('seeding.title')}
              <span className="unseen"> {name}</span>
            </Link>
          )}
          {format === 'swiss' && <PairRound bracket={bracket} tournament={tournament} />}
          <BracketNaming bracket={bracket} tournament={tournament} />
          <Link to="/manage/$tournament/brackets" params={{ tournament }} search={{ again: guid }} className="btn">
            {words('draw.again')}
            <span className="unseen"> {name}</span>
          </Link>
          <DeleteBracket bracket={bracket} tournament={tournament} />
        </div>
      )}
    </li>
  )
}
