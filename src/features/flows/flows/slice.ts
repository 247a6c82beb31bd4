import type { Slice } from '../../slice.ts'
import { flowsConstraints } from './constraints.ts'
import { flowsEvents } from './events.ts'
import { resolveFlow, resolvePreset } from './resolve.ts'
import { flowsOperations } from './routes/flows.ts'
import { planOperations } from './routes/plan.ts'
import { presetsOperations } from './routes/presets.ts'

export const flows: Slice = {
  name: 'flows',
  tags: {
    flows: 'By which steps and rules matches pick their maps and are played.',
    flowPresets: 'Flows of tournaments that are known.',
    flowPlans: 'Which flows matches are played by.',
  },
  operations: [...presetsOperations, ...flowsOperations, ...planOperations],
  parameters: {
    flow: {
      description: 'GUID of a flow of the tournament.',
      resolve: resolveFlow,
      problems: { 'flow.unknown': 'missing' },
    },
    preset: {
      description: 'Name of a flow that is known, such as `accsaber-bo3`.',
      resolve: resolvePreset,
      problems: { 'flow.preset_unknown': 'missing' },
    },
  },
  constraints: flowsConstraints,
  events: flowsEvents,
}
