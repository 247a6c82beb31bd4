import type { FlowRules } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { Section } from '../../parts/section.tsx'
import manage from '../manage.module.css'
import { Meantime, type RulesProps, textsOf } from './rules.tsx'
import { NumberOf, Select } from './step-more.tsx'

/** Replays in plain words. */

export function Replays({ form }: RulesProps) {
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
