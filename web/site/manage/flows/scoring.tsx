import type { FlowRules } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import type { FormState } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import manage from '../manage.module.css'
import styles from './flows.module.css'
import type { FlowValues } from './model.ts'
import { Meantime, type RulesProps, textsOf } from './rules.tsx'
import { Check, NumberOf, Select } from './step-more.tsx'

/** Who wins a map and the match, in plain words. */

export function Scoring({ form }: RulesProps) {
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
