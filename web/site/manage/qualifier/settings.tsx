import type { Qualifier } from '../../../../client/generated.ts'
import type { QualifierInput } from '../../data/generated.ts'
import { useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { CheckField, NumberField, SelectField, TextField } from '../../parts/form/fields.tsx'
import { Form } from '../../parts/form/form.tsx'
import { InstantField } from '../../parts/form/instant.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import { boardAddress, qualifierAddress } from '../map-reads.ts'
import { SaveBar } from '../save-bar.tsx'
import styles from './qualifier.module.css'

/** When the qualifier is, how often maps are played, and how it is decided. */

const methods = [
  'average_accuracy',
  'sum_of_scores',
  'sum_of_ranks',
  'weighted_accuracy',
  'percent_of_best',
  'z_sum',
  'points_per_place',
  'top_players',
] as const satisfies readonly Qualifier['method'][]

const valuesOf = ({ opensAt, closesAt, attempts, method, modifiers, settings, cutoff, hideScores }: Qualifier) => ({
  opensAt,
  closesAt,
  attempts: attempts as number | null,
  method: method as string,
  modifiers: modifiers as string,
  countMaps: settings.countMaps,
  topPlayers: settings.topPlayers,
  points: settings.points.join(', '),
  missing: settings.missing as string,
  failCounts: settings.failCounts,
  cutoff,
  hideScores,
  syncUrl: '',
})

type Values = ReturnType<typeof valuesOf>

function bodyOf(changed: Partial<Values>): QualifierInput {
  const { countMaps, topPlayers, points, missing, failCounts, attempts, method, modifiers, syncUrl, ...others } =
    changed
  const settings = {
    ...(countMaps !== undefined && { countMaps }),
    ...(topPlayers !== undefined && { topPlayers }),
    ...(points !== undefined && {
      points: points
        .split(/[\s,;]+/)
        .filter((text) => text !== '')
        .map(Number),
    }),
    ...(missing !== undefined && { missing: missing as 'zero' | 'last' }),
    ...(failCounts !== undefined && { failCounts }),
  }
  return {
    ...others,
    ...(attempts !== undefined && { attempts: attempts ?? 0 }),
    ...(method !== undefined && { method: method as Qualifier['method'] }),
    ...(modifiers !== undefined && { modifiers: modifiers as Qualifier['modifiers'] }),
    ...(syncUrl !== undefined && syncUrl !== '' && { syncUrl: syncUrl.trim() }),
    ...(Object.keys(settings).length > 0 && { settings }),
  }
}

export function QualifierSettings({ qualifier }: { readonly qualifier: Qualifier }) {
  const tournament = useTournamentId()
  const zone = useTournament().data?.timezone ?? 'UTC'
  const form = useForm<Values>({ key: `qualifier-${qualifier.guid}`, saved: valuesOf(qualifier) })
  const put = useWrite('PUT /tournaments/{tournament}/qualifier', (known, reply) => {
    form.take()
    known.put(qualifierAddress(tournament), reply)
    known.renew(boardAddress(tournament))
  })
  const clear = () => void put.send({ params: { tournament }, body: { syncUrl: null } })
  if (qualifier.status === 'final') return null
  const { values } = form
  return (
    <Section title={words('ledger.settings')}>
      <Form
        className={styles.settings}
        error={put.error}
        isChanged={form.isChanged}
        onSubmit={() => put.send({ params: { tournament }, body: bodyOf(form.changed) })}
      >
        <div className={styles.fields}>
          <InstantField
            form={form}
            name="opensAt"
            label={words('ledger.opens')}
            hint={words('ledger.opens-hint')}
            zone={zone}
          />
          <InstantField
            form={form}
            name="closesAt"
            label={words('ledger.closes')}
            hint={words('ledger.closes-hint')}
            zone={zone}
          />
          <NumberField
            form={form}
            name="attempts"
            label={words('ledger.attempts')}
            hint={words('ledger.attempts-hint')}
            min={0}
            max={1_000}
          />
          <NumberField
            form={form}
            name="cutoff"
            label={words('ledger.cutoff')}
            hint={words('ledger.cutoff-hint')}
            min={1}
            max={1_000}
          />
          <SelectField
            form={form}
            name="method"
            label={words('ledger.method')}
            options={methods.map((each) => [each, words(`ledger.method-${each}`)] as const)}
          />
          <NumberField
            form={form}
            name="countMaps"
            label={words('ledger.count-maps')}
            hint={words('ledger.all-hint')}
            min={1}
            max={50}
          />
          <NumberField
            form={form}
            name="topPlayers"
            label={words('ledger.top-players')}
            hint={words('ledger.all-hint')}
            min={1}
            max={50}
          />
          {values.method === 'points_per_place' && (
            <TextField form={form} name="points" label={words('ledger.points')} hint={words('ledger.points-hint')} />
          )}
          <SelectField
            form={form}
            name="missing"
            label={words('ledger.missing')}
            options={(['zero', 'last'] as const).map((each) => [each, words(`ledger.missing-${each}`)] as const)}
          />
          <SelectField
            form={form}
            name="modifiers"
            label={words('ledger.modifiers')}
            options={(['any', 'none'] as const).map((each) => [each, words(`ledger.modifiers-${each}`)] as const)}
          />
          <TextField
            form={form}
            name="syncUrl"
            type="url"
            label={words('ledger.address')}
            hint={words(qualifier.syncUrl === 'configured' ? 'ledger.address-set' : 'ledger.address-hint')}
            maxLength={500}
            placeholder="https://"
          />
        </div>
        <CheckField form={form} name="failCounts" label={words('ledger.fail-counts')} />
        <CheckField form={form} name="hideScores" label={words('ledger.hide')} hint={words('ledger.hide-hint')} />
        {qualifier.syncUrl === 'configured' && (
          <p>
            <button type="button" className="btn" aria-disabled={put.isSending} onClick={clear}>
              {words('ledger.address-clear')}
            </button>
          </p>
        )}
        <SaveBar form={form} isSending={put.isSending} isDone={put.isDone} />
      </Form>
    </Section>
  )
}
