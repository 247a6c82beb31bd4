import { useState } from 'react'
import type { Match, Rehearsal } from '../../../../client/generated.ts'
import type { Writes } from '../../data/generated.ts'
import { now } from '../../data/live.ts'
import { shownBy } from '../../data/rehearsal-clock.ts'
import { useMatchCodes, useTournament } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { NumberField, SelectField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { InstantField } from '../../parts/form/instant.tsx'
import { type FormState, useForm } from '../../parts/form/use-form.ts'
import { sideName } from '../../parts/match.tsx'
import { Section } from '../../parts/section.tsx'
import { Instant, ownZone } from '../../parts/time.tsx'
import { useMatches, useRenewMatches } from '../matches.ts'
import { showRehearsal } from './reads.ts'
import styles from './rehearsal.module.css'

/** Simulated teams play the evening, or a part of it, and the clock goes with them. (R4) */

const at = 'POST /tournaments/{tournament}/rehearsals/{rehearsal}/play'
type Body = Writes[typeof at]['body']
type PlayedMatch = Writes[typeof at]['reply']['played'][number]

const extents = ['end', 'until', 'count', 'matches'] as const

interface Wish {
  readonly extent: string
  readonly until: string | null
  readonly count: number | null
  readonly matches: readonly string[]
  /** In per cent. */
  readonly crash: number | null
  readonly late: number | null
  readonly claim: number | null
}

const usual: Wish = { extent: 'end', until: null, count: 8, matches: [], crash: 0, late: 0, claim: 0 }

/** What goes wrong on such an evening, in per cent. */
const presets = {
  smooth: { crash: 0, late: 0, claim: 0 },
  drops: { crash: 10, late: 0, claim: 0 },
  late: { crash: 0, late: 20, claim: 0 },
  claims: { crash: 0, late: 0, claim: 10 },
  // Every map is lost, and played again.
  assistant: { crash: 100, late: 0, claim: 0 },
} as const
type Preset = keyof typeof presets

const outageMs = 30 * 60_000

interface Result {
  readonly body: Body
  readonly played: readonly PlayedMatch[]
  readonly isDone: boolean
}

/** Of the rehearsal: matches are its own. */
export function Play({ rehearsal }: { readonly rehearsal: Rehearsal }) {
  const { of, guid, clock: known } = rehearsal
  const zone = useTournament().data?.timezone ?? ownZone
  const form = useForm<Wish>({ key: `play-${guid}`, saved: usual })
  const renew = useRenewMatches()
  const [result, setResult] = useState<Result | null>(null)
  const play = useWrite(at, (known, { played, clock, done }, sent) => {
    showRehearsal(known, rehearsal, { clock })
    renew()
    const body = sent.body as Body
    setResult((before) => ({
      body,
      played: before !== null && !before.isDone && before.body === body ? [...before.played, ...played] : played,
      isDone: done,
    }))
  })
  const send = (body: Body) => void play.send({ params: { tournament: of, rehearsal: guid }, body })
  const { extent } = form.values
  const choose = (preset: Preset) =>
    form.change({
      ...presets[preset],
      // The half hour without an assistant is over then.
      ...(form.values.crash === presets.assistant.crash && { extent: usual.extent, until: usual.until }),
      ...(preset === 'assistant' && {
        extent: 'until',
        until: new Date(shownBy(known, now()) + outageMs).toISOString(),
      }),
    })
  return (
    <Section title={words('rehearse.play')}>
      <Form
        className={styles.play}
        error={play.error}
        onSubmit={() => {
          setResult(null)
          send(bodyOf(form.values))
        }}
      >
        <p>{words('rehearse.play-how')}</p>
        <div className={styles.row}>
          <SelectField
            form={form}
            name="extent"
            label={words('rehearse.extent')}
            options={extents.map((each) => [each, words(`rehearse.extent-${each}` as WordId)])}
          />
          {extent === 'until' && (
            <InstantField form={form} name="until" zone={zone} label={words('rehearse.until')} isRequired />
          )}
          {extent === 'count' && (
            <NumberField form={form} name="count" label={words('rehearse.count')} min={1} max={1_000} isRequired />
          )}
        </div>
        {extent === 'matches' && <Ready form={form} />}
        <Wrong form={form} choose={choose} />
        <Save isSending={play.isSending}>{words('rehearse.play-now')}</Save>
        <div role="status">
          {play.isSending && <p className="muted">{words('rehearse.playing')}</p>}
          {!play.isSending && result !== null && <Told result={result} goOn={send} />}
        </div>
      </Form>
    </Section>
  )
}

function bodyOf({ extent, until, count, matches, crash, late, claim }: Wish): Body {
  const rates = { crashRate: (crash ?? 0) / 100, lateRate: (late ?? 0) / 100, claimRate: (claim ?? 0) / 100 }
  if (extent === 'matches') return { matches, ...rates }
  if (extent === 'count') return { count: count ?? 1, ...rates }
  return { until: extent === 'until' && until !== null ? until : 'end', ...rates }
}

/** Shares of what goes wrong, typed or by a button. */
function Wrong({ form, choose }: { readonly form: FormState<Wish>; readonly choose: (preset: Preset) => void }) {
  const isChosen = (preset: Preset) =>
    (['crash', 'late', 'claim'] as const).every((name) => form.values[name] === presets[preset][name])
  return (
    <fieldset className={styles.wrong}>
      <legend className="strong">{words('rehearse.wrong')}</legend>
      {/* biome-ignore lint/a11y/useSemanticElements: these are buttons, not fields */}
      <div className="choices" role="group" aria-label={words('rehearse.presets')}>
        {(Object.keys(presets) as Preset[]).map((name) => (
          <button key={name} type="button" className="btn" aria-pressed={isChosen(name)} onClick={() => choose(name)}>
            {words(`rehearse.wrong-${name}` as WordId)}
          </button>
        ))}
      </div>
      {isChosen('assistant') && <p>{words('rehearse.wrong-assistant-what')}</p>}
      <div className={styles.shares}>
        <NumberField form={form} name="crash" label={words('rehearse.crash')} min={0} max={100} />
        <NumberField form={form} name="late" label={words('rehearse.come-late')} min={0} max={100} />
        <NumberField form={form} name="claim" label={words('rehearse.claim')} min={0} max={100} />
      </div>
    </fieldset>
  )
}

/** The matches that can be played now, to choose from. */
function Ready({ form }: { readonly form: FormState<Wish> }) {
  const codeOf = useMatchCodes()
  const { data } = useMatches()
  const ready = data?.filter(({ status }) => status === 'ready') ?? []
  const { matches: chosen } = form.values
  const choose = ({ guid }: Match, isChosen: boolean) =>
    form.set('matches', isChosen ? [...chosen, guid] : chosen.filter((each) => each !== guid))
  if (data !== undefined && ready.length === 0) return <p className="muted">{words('rehearse.none-ready')}</p>
  return (
    <fieldset className={styles.ready}>
      <legend className="strong">{words('rehearse.ready')}</legend>
      {ready.map((match) => (
        <label key={match.guid} className="choice">
          <input
            type="checkbox"
            checked={chosen.includes(match.guid)}
            onChange={({ target }) => choose(match, target.checked)}
          />
          <span>
            {codeOf(match)} <bdi>{match.sides.map(sideName).join(' – ')}</bdi>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** No match may end until a given time, although more are left. */
const ended = (count: number, { until = 'end' }: Body) =>
  count === 0 && until !== 'end' ? 'rehearse.none-ended' : 'rehearse.played'

function Told({
  result: { body, played, isDone },
  goOn,
}: {
  readonly result: Result
  readonly goOn: (body: Body) => void
}) {
  return (
    <>
      {isDone ? (
        <p>{words(ended(played.length, body), { count: played.length })}</p>
      ) : (
        <div className="notice notice-warning">
          <p className="push">{words('rehearse.not-done', { count: played.length })}</p>
          <button type="button" className="btn btn-primary" onClick={() => goOn(body)}>
            {words('rehearse.go-on')}
          </button>
        </div>
      )}
      {played.length > 0 && (
        <details>
          <summary className="small">{words('rehearse.what-played', { count: played.length })}</summary>
          <ul className="lines">
            {played.map(({ division, number, outcome, scores, startedAt, completedAt }) => (
              <li key={`${division} ${number}`} className={styles.played}>
                <span>{words('rehearse.match-of', { number })}</span>
                <span className="num">{scores.map((score) => score ?? '–').join(' : ')}</span>
                <span className="muted">{outcome === null ? '' : words(`rehearse.outcome-${outcome}` as WordId)}</span>
                <span className="muted">
                  {startedAt !== null && <Instant at={startedAt} as="time" />} –{' '}
                  {completedAt !== null && <Instant at={completedAt} as="time" />}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
