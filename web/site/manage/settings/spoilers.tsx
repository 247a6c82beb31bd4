import type { TournamentWithParts } from '../../../../client/generated.ts'
import { useHorizon } from '../../data/horizon.ts'
import { words } from '../../data/words.ts'
import { SelectField } from '../../parts/form/fields.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import type { SettingsValues } from '../settings-values.ts'

/** Whether results are held back from the public, and what that cannot do. (V1, V3, V4) */
export function Spoilers({
  form,
  tournament,
}: {
  readonly form: FormState<SettingsValues>
  readonly tournament: TournamentWithParts
}) {
  const waiting = useHorizon(tournament)?.waiting ?? 0
  const { spoilerMode, streamDelaySeconds } = form.values
  const isEnding = tournament.spoilerMode === 'held' && spoilerMode === 'open'
  return (
    <>
      <SelectField
        form={form}
        name="spoilerMode"
        label={words('settings.spoilers')}
        hint={words('settings.spoilers-hint')}
        options={[
          ['open', words('settings.spoilers-open')],
          ['held', words('settings.spoilers-held')],
        ]}
      />
      <div role="status" className="stack">
        {isEnding && <p className="notice notice-warning">{words('settings.spoilers-ending', { count: waiting })}</p>}
        {spoilerMode === 'held' && (
          <div className="notice">
            <p>{words('settings.spoilers-cannot')}</p>
            {!streamDelaySeconds && <p className="strong">{words('settings.spoilers-no-delay')}</p>}
          </div>
        )}
      </div>
    </>
  )
}
