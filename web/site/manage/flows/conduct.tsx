import type { FlowRules } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { Section } from '../../parts/section.tsx'
import manage from '../manage.module.css'
import styles from './flows.module.css'
import { Meantime, type RulesProps, textsOf } from './rules.tsx'
import { NumberOf, Select } from './step-more.tsx'

/** Clocks, people and lateness in plain words. */

const penalties = [
  'warning',
  'lose_bans',
  'lose_protects',
  'lose_replays',
  'lose_timeouts',
  'map_loss',
  'match_forfeit',
] as const

export function Conduct({ form }: RulesProps) {
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
