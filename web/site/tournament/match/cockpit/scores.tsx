import { useState } from 'react'
import type { FlowGame, FlowScore } from '../../../../../client/generated.ts'
import { words } from '../../../data/words.ts'
import { Connected, useIsLost } from '../../../parts/connected.tsx'
import { Form } from '../../../parts/form/form.tsx'
import { type FormState, useForm } from '../../../parts/form/use-form.ts'
import { Key } from '../../../parts/key.tsx'
import { wholeOf } from '../../../parts/numbers.ts'
import { ValuesOf } from '../../../parts/reports/values.tsx'
import { Section } from '../../../parts/section.tsx'
import { saidOf } from '../said.ts'
import { shareOf, sheetsOf } from '../sheets.ts'
import { poolMap, titleOf, type View } from '../view.ts'
import styles from './cockpit.module.css'
import { CorrectScore } from './correct-score.tsx'
import { paths, type Table } from './ops.ts'
import { useReporting } from './reporting.ts'
import { Technical } from './technical.tsx'

/** The scores of a game by player and run: those that are there with what counts, and fields for those to come. */

export function Scores(table: Table) {
  const { session, view } = table
  const begun = session.games.filter(({ phase }) => phase !== 'up_next')
  const now = session.turn?.game ?? begun.at(-1)?.game ?? null
  const [wanted, setWanted] = useState<number | null>(null)
  const game = begun.find((each) => each.game === (wanted ?? now)) ?? begun.at(-1)
  if (game === undefined) return null
  const entry = poolMap(view, game.map)
  return (
    <Section
      title={
        <>
          {words('live.game', { game: game.game })}
          {entry !== undefined && (
            <>
              {': '}
              <bdi>{titleOf(entry.map)}</bdi>
            </>
          )}
        </>
      }
      beside={
        begun.length > 1 && (
          <div className="choices">
            {begun.map((each) => (
              <button
                key={each.game}
                type="button"
                className="btn"
                aria-pressed={each.game === game.game}
                onClick={() => setWanted(each.game === now ? null : each.game)}
              >
                <span className="unseen">{words('cockpit.show-game')} </span>
                {each.game}
              </button>
            ))}
          </div>
        )
      }
    >
      <Entry key={`${game.game} ${game.chain} ${runOf(game)}`} {...table} game={game} isNow={game.game === now} />
    </Section>
  )
}

/** The run that is played, or was last. */
const runOf = ({ chains }: FlowGame): number => chains.at(-1)?.at(-1)?.run ?? 1

type Fields = Readonly<Record<string, string>>

interface Player {
  /** As the request names it: a user, or the seat of a name without a team. */
  readonly who: { readonly user: string } | { readonly seat: number }
  readonly key: string
  readonly name: string
  readonly score: FlowScore | undefined
}

/** As reports name a player. */
const whoOf = ({ who }: Player): string => ('user' in who ? who.user : `seat:${who.seat}`)

function playersOf({ view, session }: Table, seat: number, scores: readonly FlowScore[]): readonly Player[] {
  const own = session.seats.find((each) => each.seat === seat)
  if (own?.team === null) {
    const score = scores.find((each) => each.seat === seat && each.counts)
    return [{ who: { seat }, key: `${seat}`, name: own.name, score }]
  }
  const members = view.people.teams[seat - 1]?.members.map(({ user }) => user.guid) ?? []
  const lineup = own?.lineup?.filter((user) => user !== null) ?? []
  return (lineup.length > 0 ? lineup : members).map((user) => ({
    who: { user },
    key: user,
    name: view.people.nameOf(user) ?? words('cockpit.somebody'),
    score: scores.find((each) => each.user === user && each.counts),
  }))
}

interface EntryProps extends Table {
  readonly game: FlowGame
  readonly isNow: boolean
}

function Entry({ game, isNow, ...table }: EntryProps) {
  const { view, session, ops } = table
  const chain = game.chains.at(-1) ?? []
  const last = chain.at(-1)
  const run = session.turn?.game === game.game ? (session.turn.run ?? last?.run ?? 1) : (last?.run ?? 1)
  const scores = chain.find((each) => each.run === run)?.scores ?? []
  const form = useForm<Fields>({ key: `scores-${session.session}-${game.game}-${game.chain}-${run}`, saved: {} })
  const [isComplete, setComplete] = useState(false)
  const [corrected, setCorrected] = useState<string | null>(null)
  const sides = session.seats.map(({ seat, name }) => ({ seat, name, players: playersOf(table, seat, scores) }))
  const { waiting, keep } = useReporting(view)
  const queued = new Map(
    waiting
      .filter((each) => each.game === game.game && each.chain === game.chain && each.run === run)
      .flatMap(({ lines }) => lines.map(({ who, values }) => [who, values] as const)),
  )
  const isOpen = isNow && (game.phase === 'playing' || game.phase === 'replay' || game.phase === 'window')
  const chosen = sides.flatMap(({ players }) => players).find(({ key }) => key === corrected)
  const missing = sides.flatMap(({ players }) =>
    players.filter((player) => player.score === undefined && !queued.has(whoOf(player))),
  )
  const given = missing.filter(({ key }) => (form.values[`${key} score`] ?? '') !== '')
  const sheet = sheetsOf(view).find(({ number }) => number === game.game)
  const submit = async () => {
    const body = {
      scores: given.map(({ who, key }) => ({ ...who, ...valuesOf(form.values, key) })),
      ...(isComplete && { complete: true }),
      ...{ game: game.game, chain: game.chain, run },
    }
    const lines = given.map((player) => ({
      who: whoOf(player),
      name: player.name,
      values: valuesOf(form.values, player.key),
    }))
    const params = { tournament: view.tournament, flowSession: session.session ?? '' }
    const request = { at: paths.scores, params, body: { ...body, expect: session.position } }
    const made = { request, lines, isComplete, game: game.game, chain: game.chain, run }
    if (!(await keep(made)) && !(await ops.send('scores', body))) return
    form.take()
    setComplete(false)
  }
  return (
    <>
      <Form isChanged={form.isChanged} onSubmit={submit}>
        <div className={styles.sheets}>
          {sides.map(({ seat, name, players }) => (
            <fieldset key={seat} className={seat === 1 ? styles.one : seat === 2 ? styles.other : ''}>
              <legend className="strong">
                <bdi>{name}</bdi>{' '}
                <span className="num">{game.totals[seat - 1] == null ? '' : totalOf(view, game.totals[seat - 1])}</span>
              </legend>
              {players.map((player) =>
                player.score === undefined ? (
                  queued.has(whoOf(player)) ? (
                    <p key={player.key} className={styles.made}>
                      <bdi>{player.name}</bdi> <ValuesOf of={queued.get(whoOf(player))} />
                      <span className="small">{words('reports.not-sent')}</span>
                    </p>
                  ) : (
                    isOpen && <Fields key={player.key} player={player} form={form} />
                  )
                ) : (
                  <Made
                    key={player.key}
                    player={player}
                    score={player.score}
                    correct={() => setCorrected(player.key)}
                  />
                ),
              )}
            </fieldset>
          ))}
        </div>
        {isOpen && missing.length > 0 && (
          <div className="btns">
            <button
              type="submit"
              className="btn"
              data-key="s"
              aria-disabled={ops.isSending || (given.length === 0 && !isComplete)}
            >
              {words('cockpit.save-scores')} <Key of="s" />
            </button>
            {given.length < missing.length && (
              <label className="choice">
                <input type="checkbox" checked={isComplete} onChange={({ target }) => setComplete(target.checked)} />
                {words('cockpit.rest-absent')}
              </label>
            )}
          </div>
        )}
      </Form>
      {/* Outside of the form: a form within a form is not sent. */}
      {chosen?.score !== undefined && (
        <CorrectScore {...table} name={chosen.name} score={chosen.score} close={() => setCorrected(null)} />
      )}
      {sheet !== undefined && saidOf(sheet, view).map((text) => <p key={text}>{text}</p>)}
      {game.phase === 'final' && game.winner !== null && (
        <p>{words('cockpit.won-by', { team: sides.find(({ seat }) => seat === game.winner)?.name ?? '' })}</p>
      )}
      {(game.phase === 'window' || game.phase === 'final') && session.status === 'running' && (
        <Connected>
          <Technical {...table} game={game.game} />
        </Connected>
      )}
    </>
  )
}

function totalOf({ session }: View, total: number | null | undefined): string {
  if (total == null) return ''
  return session?.flow?.rules.map.by === 'accuracy' ? shareOf(total) : wholeOf(total)
}

const completions = ['passed', 'failed', 'quit', 'absent'] as const

function valuesOf(fields: Fields, key: string) {
  const accuracy = fields[`${key} accuracy`] ?? ''
  const misses = fields[`${key} misses`] ?? ''
  const completion = completions.find((each) => each === fields[`${key} completion`]) ?? 'passed'
  return {
    score: Number(fields[`${key} score`]),
    ...(accuracy !== '' && { accuracy: Number(accuracy) / 100 }),
    ...(misses !== '' && { misses: Number(misses) }),
    completion,
  }
}

function Fields({ player, form }: { readonly player: Player; readonly form: FormState<Fields> }) {
  const { key, name } = player
  const field = (of: 'score' | 'accuracy' | 'misses', bounds: object) => (
    <label>
      <span className="small muted">
        <span className="unseen">{name} </span>
        {words(`cockpit.${of}`)}
      </span>
      <input
        className="in num"
        type="number"
        inputMode="decimal"
        {...bounds}
        value={form.values[`${key} ${of}`] ?? ''}
        onChange={({ target }) => form.set(`${key} ${of}`, target.value)}
      />
    </label>
  )
  return (
    <div className={styles.fields}>
      <bdi>{name}</bdi>
      {field('score', { min: 0, max: 1_000_000_000, step: 1 })}
      {field('accuracy', { min: 0, max: 999, step: 0.01 })}
      {field('misses', { min: 0, step: 1 })}
      <label>
        <span className="small muted">
          <span className="unseen">{name} </span>
          {words('cockpit.completion')}
        </span>
        <select
          className="in"
          value={form.values[`${key} completion`] ?? 'passed'}
          onChange={({ target }) => form.set(`${key} completion`, target.value)}
        >
          {completions.map((each) => (
            <option key={each} value={each}>
              {words(`cockpit.is-${each}`)}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

interface MadeProps {
  readonly player: Player
  readonly score: FlowScore
  readonly correct: () => void
}

/** A score that is there. */
function Made({ player, score, correct }: MadeProps) {
  return (
    <div className={styles.made}>
      <bdi>{player.name}</bdi>
      <span className="num strong">{wholeOf(score.score)}</span>
      <span className="num muted">{score.accuracy === null ? '' : shareOf(score.accuracy)}</span>
      <span className="num muted">{score.misses === null ? '' : words('cockpit.missed', { count: score.misses })}</span>
      {score.completion !== 'passed' && <span className="small">{words(`cockpit.is-${score.completion}`)}</span>}
      <button type="button" className="btn btn-quiet" disabled={useIsLost()} onClick={correct}>
        {words('cockpit.correct')}…<span className="unseen"> {player.name}</span>
      </button>
    </div>
  )
}
