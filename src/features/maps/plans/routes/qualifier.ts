import { Type } from 'typebox'
import { command } from '../../../../core/operation.ts'
import { statusAt } from '../../../brackets/qualifiers/rules/status.ts'
import { qualifierView } from '../../../brackets/qualifiers/views/qualifier.ts'
import { isOrganiser } from '../../../tournaments/access/policy.ts'
import { headPoolers } from '../../pools/policy.ts'
import { poolPath } from '../../pools/routes/pools.ts'
import { TakeMapsBody } from '../bodies.ts'
import { fillQualifier } from '../commands/qualifier.ts'
import { mapReference, TakenMapsView } from '../views.ts'

const fill = command({
  name: 'plans.fillQualifier',
  method: 'POST',
  path: `${poolPath}/qualifier`,
  scope: 'rest:write',
  allow: headPoolers,
  summary: 'Make the maps of a pool those of the qualifier, in their order.',
  description:
    'Maps that stay keep their GUIDs, and those that were played stay what they are. The pool may be a draft while the qualifier is one; nobody but poolers sees its maps there before the pool shows them. What is done to the pool later reaches the qualifier when this is called again.',
  query: Type.Object({ dryRun: Type.Optional(Type.Boolean({ description: 'Only tells what would be.' })) }),
  body: TakeMapsBody,
  bodyOptional: true,
  reply: { 200: TakenMapsView },
  problems: {
    'qualifier.unknown': 404,
    'pool.wrong_kind': 409,
    'pool.not_published': 409,
    'qualifier.map_played': 409,
    'qualifier.too_many_maps': 409,
    'qualifier.final': 409,
    'tournament.cancelled': 409,
  },
  run: async ({ tx, actor, tournament, pool, query, body, now }) => {
    const dryRun = query.dryRun === true || body?.dryRun === true
    const taken = await fillQualifier(tx, { actor, tournament, now }, pool.guid, dryRun)
    const { qualifier, maps, added, removed, changed } = taken
    const status = statusAt(qualifier, now)
    return {
      qualifier: qualifierView({ tournament, qualifier, status, maps, showsSyncUrl: isOrganiser(actor) }),
      added: added.map(mapReference),
      removed: removed.map(mapReference),
      changed: changed.map(mapReference),
      dryRun,
    }
  },
})

export const qualifierOperations = [fill]
