import type { FlowRules } from '../../../../client/generated.ts'
import { type WordId, words } from '../../data/words.ts'
import { Meanwhile } from '../../parts/form/fields.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import manage from '../manage.module.css'
import styles from './flows.module.css'
import type { FlowValues } from './model.ts'
import { Check, NumberOf, Select } from './step-more.tsx'

/** The rules of a flow in plain words. */

interface Props {
  readonly form: FormState<FlowValues>
}

const textsOf = <Value extends string>(name: string, values: readonly Value[]) =>
  values.map((value) => [value, words(`flows.${name}-${value}` as WordId)] as const)

export function Scoring({ form }: Props) {
  const { play, map, zero, tie, tieReplays, decide, points, modifiers, seats, pauseLimitSeconds } = form.values
  const isAll = play.mode === 'play_all'
  return (
    <Section title={words('flows.scoring')}>
      <div className={manage.fields}>
        <Select
          name="play"
          label={words('flows.play')}
          value={play.mode}
          options={textsOf('play', ['best_of', 'play_all'])}
          choose={(mode) =>
            form.set('play', mode === 'play_all' ? { mode, maps: play.maps ?? 3 } : { mode: 'best_of' })
          }
        />
        {isAll && (
          <>
            <NumberOf
              name="maps"
              label={words('flows.play-maps')}
              value={play.maps ?? null}
              min={1}
              max={20}
              change={(maps) => form.set('play', { mode: 'play_all', maps: maps ?? 1 })}
            />
            <Select
              name="decide"
              label={words('flows.decide')}
              value={decide}
              options={textsOf('decide', ['score_sum', 'wins', 'points'])}
              choose={(value) => form.set('decide', value as FlowRules['decide'])}
            />
            {decide === 'points' && <Points points={points} seats={seats} set={(value) => form.set('points', value)} />}
          </>
        )}
        <Select
          name="by"
          label={words('flows.map-by')}
          value={map.by}
          options={textsOf('by', ['score', 'accuracy', 'misses'])}
          choose={(by) => form.set('map', { ...map, by: by as FlowRules['map']['by'] })}
        />
        <Select
          name="team"
          label={words('flows.map-team')}
          value={map.team}
          options={textsOf('team', ['sum', 'mean', 'top'])}
          choose={(team) =>
            form.set('map', {
              ...map,
              team: team as FlowRules['map']['team'],
              top: team === 'top' ? (map.top ?? 1) : null,
            })
          }
        />
        {map.team === 'top' && (
          <NumberOf
            name="top"
            label={words('flows.map-top')}
            value={map.top}
            min={1}
            max={50}
            change={(top) => form.set('map', { ...map, top })}
          />
        )}
        <NumberOf
          name="players"
          label={words('flows.map-players')}
          hint={words('flows.map-players-hint')}
          value={map.players}
          min={1}
          max={50}
          change={(players) => form.set('map', { ...map, players })}
        />
        <NumberOf
          name="pauseLimitSeconds"
          label={words('flows.pause')}
          hint={words('flows.pause-hint')}
          value={pauseLimitSeconds}
          min={0}
          max={3_600}
          change={(value) => form.set('pauseLimitSeconds', value)}
        />
        <Select
          name="modifiers"
          label={words('flows.modifiers')}
          value={modifiers}
          options={textsOf('modifiers', ['any', 'none'])}
          choose={(value) => form.set('modifiers', value as FlowRules['modifiers'])}
        />
        <fieldset className={styles.zero}>
          <legend>{words('flows.zero')}</legend>
          {(['failed', 'quit'] as const).map((each) => (
            <Check
              key={each}
              label={words(`flows.zero-${each}`)}
              isOn={zero.includes(each)}
              set={(isOn) =>
                form.set(
                  'zero',
                  (['failed', 'quit'] as const).filter((one) => (one === each ? isOn : zero.includes(one))),
                )
              }
            />
          ))}
        </fieldset>
      </div>
      <Ties tie={tie} tieReplays={tieReplays} form={form} />
      <Meantime
        form={form}
        names={['play', 'map', 'decide', 'points', 'pauseLimitSeconds', 'modifiers', 'zero', 'tie', 'tieReplays']}
      />
    </Section>
  )
}

function Points({
  points,
  seats,
  set,
}: {
  readonly points: readonly number[]
  readonly seats: number
  readonly set: (points: readonly number[]) => void
}) {
  const all = Array.from({ length: seats }, (_, index) => points[index] ?? 0)
  return (
    <fieldset className={styles.points}>
      <legend>{words('flows.points')}</legend>
      {all.map((value, place) => (
        <NumberOf
          // biome-ignore lint/suspicious/noArrayIndexKey: places have no other name
          key={place}
          name={`points.${place}`}
          label={words('flows.place', { place: place + 1 })}
          value={value}
          min={0}
          max={1_000}
          change={(given) => set(all.map((each, index) => (index === place ? (given ?? 0) : each)))}
        />
      ))}
    </fieldset>
  )
}

const ties = ['best_player', 'fewer_misses', 'replay', 'other_map', 'void'] as const

/** What is done with a level map: one thing after the other, and at last a referee. */
function Ties({
  tie,
  tieReplays,
  form,
}: {
  readonly tie: FlowRules['tie']
  readonly tieReplays: number
  readonly form: FormState<FlowValues>
}) {
  const places = [...tie, ''].slice(0, ties.length)
  return (
    <fieldset className={styles.ties}>
      <legend>{words('flows.tie')}</legend>
      <div className={manage.fields}>
        {places.map((rule, place) => (
          <Select
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what it is
            key={place}
            name={`tie.${place}`}
            label={words(place === 0 ? 'flows.tie-first' : 'flows.tie-then')}
            value={rule}
            options={[
              ['', words('flows.tie-referee')],
              ...textsOf(
                'tie',
                ties.filter((each) => each === rule || !tie.includes(each)),
              ),
            ]}
            choose={(value) =>
              form.set(
                'tie',
                value === ''
                  ? tie.slice(0, place)
                  : [...tie.slice(0, place), value as (typeof ties)[number], ...tie.slice(place + 1)],
              )
            }
          />
        ))}
        {tie.includes('replay') && (
          <NumberOf
            name="tieReplays"
            label={words('flows.tie-replays')}
            value={tieReplays}
            min={0}
            max={10}
            change={(value) => form.set('tieReplays', value ?? 0)}
          />
        )}
      </div>
    </fieldset>
  )
}

export function Replays({ form }: Props) {
  const { replays, technical } = form.values
  const set = (part: Partial<FlowRules['replays']>) => form.set('replays', { ...replays, ...part })
  return (
    <Section title={words('flows.replays')}>
      <div className={manage.fields}>
        <Select
          name="rule"
          label={words('flows.replay-rule')}
          value={replays.rule}
          options={textsOf('replay', ['none', 'better_of_each', 'score_to_beat', 'last_counts'])}
          choose={(rule) => set({ rule: rule as FlowRules['replays']['rule'] })}
        />
        {replays.rule !== 'none' && (
          <>
            <Select
              name="by"
              label={words('flows.replay-by')}
              value={replays.by}
              options={textsOf('replay-by', ['team', 'player'])}
              choose={(by) => set({ by: by as FlowRules['replays']['by'] })}
            />
            <NumberOf
              name="perMatch"
              label={words('flows.replay-match')}
              value={replays.perMatch}
              min={0}
              max={20}
              change={(value) => set({ perMatch: value ?? 0 })}
            />
            <NumberOf
              name="perMap"
              label={words('flows.replay-map')}
              value={replays.perMap}
              min={0}
              max={20}
              change={(value) => set({ perMap: value ?? 0 })}
            />
            <NumberOf
              name="windowSeconds"
              label={words('flows.replay-window')}
              value={replays.windowSeconds}
              min={5}
              max={3_600}
              change={(value) => set({ windowSeconds: value ?? 60 })}
            />
          </>
        )}
        <NumberOf
          name="technical"
          label={words('flows.technical')}
          hint={words('flows.technical-hint')}
          value={technical.perMatch}
          min={0}
          max={20}
          change={(perMatch) => form.set('technical', { ...technical, perMatch })}
        />
        <Select
          name="counts"
          label={words('flows.technical-counts')}
          value={technical.counts}
          options={textsOf('technical', ['replace', 'better'])}
          choose={(counts) =>
            form.set('technical', { ...technical, counts: counts as FlowRules['technical']['counts'] })
          }
        />
      </div>
      <Meantime form={form} names={['replays', 'technical']} />
    </Section>
  )
}

const penalties = [
  'warning',
  'lose_bans',
  'lose_protects',
  'lose_replays',
  'lose_timeouts',
  'map_loss',
  'match_forfeit',
] as const

export function Conduct({ form }: Props) {
  const { timeouts, late, lineup, protects, speakers, graceSeconds, selfUndoSeconds, viewDelaySeconds, eliminate } =
    form.values
  const plain = { graceSeconds, selfUndoSeconds, viewDelaySeconds }
  const most = { graceSeconds: 10, selfUndoSeconds: 60, viewDelaySeconds: 900 }
  return (
    <Section title={words('flows.conduct')}>
      <div className={manage.fields}>
        <NumberOf
          name="timeouts"
          label={words('flows.timeouts')}
          value={timeouts.count}
          min={0}
          max={10}
          change={(count) => form.set('timeouts', { ...timeouts, count: count ?? 0 })}
        />
        {timeouts.count > 0 && (
          <NumberOf
            name="timeoutSeconds"
            label={words('flows.timeout-seconds')}
            value={timeouts.seconds}
            min={5}
            max={3_600}
            change={(seconds) => form.set('timeouts', { ...timeouts, seconds: seconds ?? 120 })}
          />
        )}
        <Select
          name="speakers"
          label={words('flows.speakers')}
          value={speakers}
          options={textsOf('speakers', ['captain', 'members'])}
          choose={(value) => form.set('speakers', value as FlowRules['speakers'])}
        />
        <Select
          name="protects"
          label={words('flows.protects')}
          value={protects}
          options={textsOf('protects', ['opponents', 'everybody'])}
          choose={(value) => form.set('protects', value as FlowRules['protects'])}
        />
        <Select
          name="lineup"
          label={words('flows.lineup')}
          value={lineup.changes}
          options={textsOf('lineup', ['per_map', 'per_match'])}
          choose={(changes) => form.set('lineup', { changes: changes as FlowRules['lineup']['changes'] })}
        />
        {(['graceSeconds', 'selfUndoSeconds', 'viewDelaySeconds'] as const).map((name) => (
          <NumberOf
            key={name}
            name={name}
            label={words(`flows.${name}`)}
            hint={words(`flows.${name}-hint`)}
            value={plain[name]}
            min={0}
            max={most[name]}
            change={(value) => form.set(name, value ?? 0)}
          />
        ))}
        {form.values.seats > 2 && (
          <NumberOf
            name="eliminate"
            label={words('flows.eliminate')}
            value={eliminate}
            min={0}
            max={15}
            change={(value) => form.set('eliminate', value ?? 0)}
          />
        )}
      </div>
      <fieldset className={styles.ties}>
        <legend>{words('flows.late')}</legend>
        {late.map(({ afterMinutes, type }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no names
          <div key={index} className={styles.late}>
            <NumberOf
              name="afterMinutes"
              label={words('flows.late-after')}
              value={afterMinutes}
              min={1}
              max={1_440}
              change={(value) =>
                form.set(
                  'late',
                  late.map((each, at) => (at === index ? { ...each, afterMinutes: value ?? 1 } : each)),
                )
              }
            />
            <Select
              name="type"
              label={words('flows.late-type')}
              value={type}
              options={textsOf('penalty', penalties)}
              choose={(value) =>
                form.set(
                  'late',
                  late.map((each, at) =>
                    at === index ? { ...each, type: value as (typeof penalties)[number] } : each,
                  ),
                )
              }
            />
            <button
              type="button"
              className="btn btn-quiet"
              onClick={() =>
                form.set(
                  'late',
                  late.filter((_, at) => at !== index),
                )
              }
            >
              {words('settings.remove')}
            </button>
          </div>
        ))}
        {late.length < 10 && (
          <button
            type="button"
            className="btn"
            onClick={() => form.set('late', [...late, { afterMinutes: 10, type: 'match_forfeit' }])}
          >
            {words('flows.late-add')}
          </button>
        )}
      </fieldset>
      <Meantime
        form={form}
        names={[
          'timeouts',
          'late',
          'lineup',
          'protects',
          'speakers',
          'graceSeconds',
          'selfUndoSeconds',
          'viewDelaySeconds',
          'eliminate',
        ]}
      />
    </Section>
  )
}

/** What somebody else has saved of these rules meanwhile. */
function Meantime({
  form,
  names,
}: {
  readonly form: FormState<FlowValues>
  readonly names: readonly (keyof FlowRules)[]
}) {
  return names.map((name) => <Meanwhile key={name} form={form} name={name} show={(value) => ruleText(name, value)} />)
}

function ruleText(name: string, value: unknown): string {
  const text =
    typeof value === 'object'
      ? JSON.stringify(value)
          .replace(/[{}[\]"]/g, ' ')
          .trim()
      : String(value)
  return `${words(`flows.rule-${name}` as WordId)}: ${text}`
}
