import { type WordId, words } from '../../data/words.ts'
import { Changed } from '../../parts/changed.tsx'
import { StateIcon } from '../../parts/icon.tsx'
import { wholeOf } from '../../parts/numbers.ts'
import type { Index } from './people.ts'
import sheet from './sheet.module.css'
import { type Made, measureOf, type PlayerLine, type Sheet, shareOf } from './sheets.ts'
import { nameAt, type View } from './view.ts'

/** The columns of a side, from the outside in. */
type Column = 'accuracy' | 'misses' | 'score'
const heads: Readonly<Record<Column, WordId>> = {
  accuracy: 'play.accuracy',
  misses: 'play.misses',
  score: 'play.score',
}

export function columnsOf(sheets: readonly Sheet[]): readonly Column[] {
  const all = sheets.flatMap(({ totals, players }): readonly Made[] => [...totals, ...players.flat()])
  return (['accuracy', 'misses', 'score'] as const).filter(
    (name) => name === 'score' || all.some((made) => made[name] !== null),
  )
}

export interface TableProps {
  readonly view: View
  readonly of: Sheet
  readonly columns: readonly Column[]
  /** The names of the columns are seen over the first game alone. */
  readonly isFirst: boolean
}

/** The numbers of one game: the team's row, then its players. */
export function Table({ view, of, columns, isFirst }: TableProps) {
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
const widthOf = (name: Column) => (name === 'score' ? '' : `${sheet[name]} only-wide`)

function Head({ name, at, isSeen }: { readonly name: Column; readonly at: Index; readonly isSeen: boolean }) {
  return (
    <th scope="col" className={`${sideOf(at)} ${widthOf(name)}`}>
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
    <td className={`${sheet.value} ${sideOf(at)} ${widthOf(name)}`}>
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
          <span className="unseen">{nameAt(view, at)} </span>
          <bdi dir="ltr">+{size}</bdi>
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
