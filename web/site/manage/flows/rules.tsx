import type { FlowRules } from '../../../../client/generated.ts'
import { type WordId, words } from '../../data/words.ts'
import { Meanwhile } from '../../parts/form/fields.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import type { FlowValues } from './model.ts'

/** What the rules of a flow share. */

export interface RulesProps {
  readonly form: FormState<FlowValues>
}

export const textsOf = <Value extends string>(name: string, values: readonly Value[]) =>
  values.map((value) => [value, words(`flows.${name}-${value}` as WordId)] as const)

/** What somebody else has saved of these rules meanwhile. */
export function Meantime({
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
