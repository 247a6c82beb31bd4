import { type WordId, words } from '../../data/words.ts'
import { AnnounceSwitch } from '../../parts/announcer.tsx'
import { Changed } from '../../parts/changed.tsx'
import { StateIcon } from '../../parts/icon.tsx'
import { Empty } from '../../parts/loaded.tsx'
import { decimalOf, lengthOf, wholeOf } from '../../parts/numbers.ts'
import { Section } from '../../parts/section.tsx'
import { Flair } from './flair.tsx'
import { type Index, indexes } from './people.ts'
import { saidOf } from './said.ts'
import sheet from './sheet.module.css'
import { type Made, measureOf, type PlayerLine, type Sheet, shareOf, sheetsOf } from './sheets.ts'
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

interface GameProps {
  readonly view: View
  readonly of: Sheet
  readonly notes: readonly string[]
  readonly columns: readonly Column[]
  /** The names of the columns are seen over the first game alone. */
  readonly isFirst: boolean
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

/** The columns of a side, from the outside in. */
type Column = 'accuracy' | 'misses' | 'score'
const heads: Readonly<Record<Column, WordId>> = {
  accuracy: 'play.accuracy',
  misses: 'play.misses',
  score: 'play.score',
}

function columnsOf(sheets: readonly Sheet[]): readonly Column[] {
  const all = sheets.flatMap(({ totals, players }): readonly Made[] => [...totals, ...players.flat()])
  return (['accuracy', 'misses', 'score'] as const).filter(
    (name) => name === 'score' || all.some((made) => made[name] !== null),
  )
}

function Table({ view, of, columns, isFirst }: Omit<GameProps, 'notes'>) {
  const rows = Math.max(of.players[0].length, of.players[1].length)
  const isProvisional = of.winner === null && of.provisional !== null
  return (
    <table className={`${sheet.sheet} ${isProvisional ? sheet.provisional : ''}`}>
      <thead className={isFirst ? '' : sheet.unseen}>
        <tr>
          <th scope="col" className={sheet.one}>
            <bdi className={isFirst ? '' : 'unseen'}>{nameAt(view, 0)}</bdi>
          </th>
          {columns.map((name) => (
            <Head key={name} name={name} at={0} isSeen={isFirst} />
          ))}
          <th scope="col" className={`${sheet.middle} only-wide`}>
            <span className={isFirst ? '' : 'unseen'}>{words('play.lead')}</span>
          </th>
          {columns.toReversed().map((name) => (
            <Head key={name} name={name} at={1} isSeen={isFirst} />
          ))}
          <th scope="col" className={sheet.other}>
            <bdi className={isFirst ? '' : 'unseen'}>{nameAt(view, 1)}</bdi>
          </th>
        </tr>
      </thead>
      <tbody>
        <tr className={sheet.total}>
          <Verdict of={of} at={0} isFirst />
          {columns.map((name) => (
            <Cell key={name} name={name} at={0} made={of.totals[0]} />
          ))}
          <Lead of={of} view={view} />
          {columns.toReversed().map((name) => (
            <Cell key={name} name={name} at={1} made={of.totals[1]} />
          ))}
          <Verdict of={of} at={1} />
        </tr>
        {Array.from({ length: rows }, (_, row) => row).map((row) => {
          const [first, second] = [of.players[0][row], of.players[1][row]]
          return (
            <tr key={row}>
              <th scope="row" className={sheet.one}>
                <Name of={first} />
              </th>
              {columns.map((name) => (
                <Cell key={name} name={name} at={0} made={first} />
              ))}
              <td className={`${sheet.middle} only-wide`} />
              {columns.toReversed().map((name) => (
                <Cell key={name} name={name} at={1} made={second} />
              ))}
              <td className={sheet.other}>
                <Name of={second} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const sideOf = (at: Index) => (at === 0 ? sheet.mine : sheet.theirs)
const narrow = (name: Column) => (name === 'score' ? '' : 'only-wide')

function Head({ name, at, isSeen }: { readonly name: Column; readonly at: Index; readonly isSeen: boolean }) {
  return (
    <th scope="col" className={`${sideOf(at)} ${narrow(name)}`}>
      <span className={isSeen ? '' : 'unseen'}>{words(heads[name])}</span>
    </th>
  )
}

function textOf(name: Column, made: Made | undefined): string {
  const value = made?.[name]
  if (value === null || value === undefined) return made === undefined ? '' : '–'
  return name === 'accuracy' ? shareOf(value) : wholeOf(value)
}

function Cell({ name, at, made }: { readonly name: Column; readonly at: Index; readonly made: Made | undefined }) {
  const text = textOf(name, made)
  return (
    <td className={`${sheet.value} ${sideOf(at)} ${narrow(name)}`}>
      <Changed of={text}>{text}</Changed>
      {name === 'score' && made?.accuracy != null && <small>{shareOf(made.accuracy)}</small>}
    </td>
  )
}

/** Who won the game; a dotted edge while that is not final. */
function Verdict({ of, at, isFirst = false }: { readonly of: Sheet; readonly at: Index; readonly isFirst?: boolean }) {
  const Tag = isFirst ? 'th' : 'td'
  return (
    <Tag {...(isFirst && { scope: 'row' })} className={at === 0 ? sheet.one : sheet.other}>
      {of.winner === at ? (
        <span className={sheet.won}>
          <StateIcon name="done" />
          {words('play.game-won')}
        </span>
      ) : of.winner === null && of.provisional === at ? (
        <span className={sheet.holds}>{words('play.holds')}</span>
      ) : (
        <span className="muted">{words('play.team')}</span>
      )}
    </Tag>
  )
}

function Lead({ of: { lead }, view }: { readonly of: Sheet; readonly view: View }) {
  const by = measureOf(view)
  const at = lead === null || lead === 0 ? null : lead > 0 ? 0 : 1
  const size = lead === null ? '' : by === 'accuracy' ? shareOf(Math.abs(lead)) : wholeOf(Math.abs(lead))
  return (
    <td className={`${sheet.middle} only-wide`}>
      {at !== null && (
        <span className={`${sheet.lead} ${at === 0 ? sheet.one : sheet.other}`}>
          <span className="unseen">{nameAt(view, at)} </span>+{size}
        </span>
      )}
    </td>
  )
}

function Name({ of }: { readonly of: PlayerLine | undefined }) {
  if (of === undefined) return null
  return (
    <>
      <bdi>{of.name}</bdi>
      {of.completion !== 'passed' && <small className="muted"> {words(`play.${of.completion}`)}</small>}
      {of.run !== null && of.run > 1 && <small className="muted"> {words('play.of-run', { run: of.run })}</small>}
    </>
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
