import { words } from '../../data/words.ts'
import { AnnounceSwitch } from '../../parts/announcer.tsx'
import { Empty } from '../../parts/loaded.tsx'
import { decimalOf, lengthOf, wholeOf } from '../../parts/numbers.ts'
import { Section } from '../../parts/section.tsx'
import { Flair } from './flair.tsx'
import { columnsOf, Table, type TableProps } from './game-table.tsx'
import { indexes } from './people.ts'
import { saidOf } from './said.ts'
import sheet from './sheet.module.css'
import { type Sheet, sheetsOf } from './sheets.ts'
import { nameAt, titleOf, type View } from './view.ts'

/** The score sheets of the games: side 1 reads from the outside in, side 2 mirrors it, the lead is in the middle. */

export function Games({
  view,
  notes,
}: {
  readonly view: View
  readonly notes: ReadonlyMap<number, readonly string[]>
}) {
  const { match, isHidden } = view
  const sheets = sheetsOf(view)
  const isEmpty = sheets.length === 0 || isHidden
  return (
    <Section
      title={words('match.games')}
      beside={
        <>
          {!isEmpty && <span className="muted">{words('play.latest-first')}</span>}
          {match.status === 'running' && <AnnounceSwitch page="match" />}
        </>
      }
    >
      {isEmpty ? (
        <Empty>
          {words(
            isHidden && sheets.length > 0
              ? 'spoiler.hidden'
              : match.status === 'completed'
                ? 'match.no-games'
                : 'match.games-come',
          )}
        </Empty>
      ) : (
        sheets.map((each, place) => (
          <Game
            key={each.number}
            view={view}
            of={each}
            notes={notes.get(each.number) ?? []}
            columns={columnsOf(sheets)}
            isFirst={place === 0}
          />
        ))
      )}
    </Section>
  )
}

interface GameProps extends TableProps {
  readonly notes: readonly string[]
}

function Game({ view, of, notes, columns, isFirst }: GameProps) {
  const id = `game-${of.number}`
  const said = [...saidOf(of, view), ...notes]
  return (
    <section className={sheet.game} aria-labelledby={id}>
      <h3 id={id} className={sheet.head}>
        <span className="strong">{words('play.game', { game: of.number })}</span>
        {of.map !== undefined && <Flair of={of.map} />}
        <bdi className="strong">{of.map === undefined ? of.mapName : titleOf(of.map.map)}</bdi>
        {of.map !== undefined && <About of={of.map.map} />}
        {of.pickedBy !== null && (
          <span className={`muted ${sheet.by}`}>{words('play.pick-of', { team: nameAt(view, of.pickedBy) })}</span>
        )}
      </h3>
      <Table view={view} of={of} columns={columns} isFirst={isFirst} />
      {said.map((text) => (
        <p key={text} className={sheet.say}>
          <Again />
          <span dir="auto">{text}</span>
        </p>
      ))}
      {of.runs.length > 0 && <Runs view={view} of={of} />}
    </section>
  )
}

/** The sign of what was done once more. */
function Again() {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" className={sheet.again}>
      <path
        d="M10.5 3l3 3-3 3M13.5 6h-7a4 4 0 0 0 0 8H10"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

type Song = NonNullable<Sheet['map']>['map']

function About({ of: { artist, mapper, difficulty, nps, bpm, durationSeconds } }: { readonly of: Song }) {
  const parts = [
    artist,
    mapper === null ? null : words('play.mapped-by', { mapper }),
    difficulty.replace('Plus', '+'),
    nps === null ? null : words('play.nps', { nps: decimalOf(nps) }),
    bpm === null ? null : words('play.bpm', { bpm: decimalOf(bpm) }),
    durationSeconds === null ? null : lengthOf(durationSeconds),
  ]
  return (
    <span className="muted">
      <bdi>{parts.filter((part) => part !== null).join(', ')}</bdi>
    </span>
  )
}

/** All runs of a map that was played more than once. */
function Runs({ view, of }: { readonly view: View; readonly of: Sheet }) {
  return (
    <details className={sheet.runs}>
      <summary>{words('play.runs', { count: of.runs.length })}</summary>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{words('play.run-number')}</th>
            {indexes.map((at) => (
              <th key={at} scope="col" className="n">
                <bdi>{nameAt(view, at)}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {of.runs.map(({ chain, run, totals }) => (
            <tr key={`${chain} ${run}`}>
              <th scope="row">{words(chain > 1 ? 'play.run-again' : 'play.run', { run, chain })}</th>
              {indexes.map((at) => (
                <td key={at} className="n">
                  {totals[at] == null ? '–' : wholeOf(totals[at])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
