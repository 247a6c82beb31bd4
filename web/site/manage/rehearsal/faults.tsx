import type { Rehearsal } from '../../../../client/generated.ts'
import { useMay } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Meanwhile } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import { answers, bodyOf, type FaultValues, type Kind, kinds, presets, type Values, valuesOf } from './fault-values.ts'
import { showRehearsal } from './reads.ts'
import styles from './rehearsal.module.css'

/** Makes what the rehearsal would send fail, come late or be limited, to see what the evening makes of it. (R3) */
export function Faults({ rehearsal }: { readonly rehearsal: Rehearsal }) {
  const { of, guid } = rehearsal
  const mayChange = useMay()('rehearsals.setFaults')
  const form = useForm<Values>({ key: `faults-${guid}`, saved: valuesOf(rehearsal.faults) })
  const save = useWrite('PUT /tournaments/{tournament}/rehearsals/{rehearsal}/faults', (known, { faults }) => {
    showRehearsal(known, rehearsal, { faults })
    form.take()
  })
  if (!mayChange) return null
  return (
    <Section title={words('rehearse.faults')}>
      <p className="muted">{words('rehearse.faults-what')}</p>
      <Form
        className={styles.play}
        error={save.error}
        isChanged={form.isChanged}
        onSubmit={() =>
          save.send({ params: { tournament: of, rehearsal: guid }, body: bodyOf(form.values, rehearsal.faults) })
        }
      >
        {/* biome-ignore lint/a11y/useSemanticElements: these are buttons, not fields */}
        <div className="btns" role="group" aria-label={words('rehearse.presets')}>
          {Object.entries(presets).map(([name, preset]) => (
            <button key={name} type="button" className="btn" onClick={() => form.change(preset)}>
              {words(`rehearse.fault-${name}` as WordId)}
            </button>
          ))}
          <button type="button" className="btn" onClick={() => form.change(valuesOf({}))}>
            {words('rehearse.fault-none')}
          </button>
        </div>
        <div className={styles.faults}>
          {kinds.map((kind) => (
            <div key={kind}>
              <Row kind={kind} of={form.values[kind]} set={(fault) => form.set(kind, fault)} />
              <Meanwhile form={form} name={kind} show={shortOf} />
            </div>
          ))}
        </div>
        <Save isSending={save.isSending} isSaved={save.isDone && !form.isChanged} isDisabled={!form.isChanged}>
          {words('form.save')}
        </Save>
      </Form>
    </Section>
  )
}

const shortOf = (fault: unknown) => words(`rehearse.answer-${(fault as FaultValues).answer}` as WordId)

interface RowProps {
  readonly kind: Kind
  readonly of: FaultValues
  readonly set: (fault: FaultValues) => void
}

/** A kind, with the fields that its answer has. */
function Row({ kind, of, set }: RowProps) {
  const number = (name: 'status' | 'delaySeconds' | 'retryAfter' | 'share', min: number, max: number) => (
    <label className="field">
      <span className="small muted">{words(`rehearse.fault-${name}` as WordId)}</span>
      <input
        className="in num"
        type="number"
        inputMode="numeric"
        value={of[name] ?? ''}
        min={min}
        max={max}
        onChange={({ target }) => set({ ...of, [name]: target.value === '' ? null : Number(target.value) })}
      />
    </label>
  )
  return (
    <fieldset className={`${styles.fault} ${of.answer === 'ok' ? '' : styles.faulty}`}>
      <legend className="unseen">{words(`rehearse.kind-${kind}` as WordId)}</legend>
      <span className="strong" aria-hidden="true">
        {words(`rehearse.kind-${kind}` as WordId)}
      </span>
      <label className="field">
        <span className="small muted">{words('rehearse.fault-answer')}</span>
        <select
          className="in"
          value={of.answer}
          onChange={({ target }) => set({ ...of, answer: answers.find((each) => each === target.value) ?? 'ok' })}
        >
          {answers.map((answer) => (
            <option key={answer} value={answer}>
              {words(`rehearse.answer-${answer}` as WordId)}
            </option>
          ))}
        </select>
      </label>
      {number('delaySeconds', 0, 3_600)}
      {of.answer === 'fail' && number('status', 400, 599)}
      {of.answer === 'limit' && number('retryAfter', 0, 3_600)}
      {of.answer !== 'ok' && number('share', 0, 100)}
    </fieldset>
  )
}
