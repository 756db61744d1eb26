import { imports, NO_IMPORT_CODE } from '#contract/imports/imports.ts'
import type { Domain } from '../platform/http/domain.ts'
import { invalid } from '../platform/problems.ts'
import { exampleFile } from './example.ts'
import { currentImport, listImports, previewImport, runImport, undoImport } from './imports.ts'

export const importsDomain: Domain = {
  routes(bind) {
    bind.inSteps(imports.importSupplies, ({ step, actor, body }) => runImport(step, actor, 'supplies', body))
    bind.inSteps(imports.previewSupplies, ({ step, actor, body }) => previewImport(step, actor, 'supplies', body))
    bind.inSteps(imports.importTrucks, ({ step, actor, body }) => runImport(step, actor, 'trucks', body))
    bind.inSteps(imports.previewTrucks, ({ step, actor, body }) => previewImport(step, actor, 'trucks', body))
    bind.inSteps(imports.importProviders, ({ step, actor, body }) => runImport(step, actor, 'providers', body))
    bind.inSteps(imports.previewProviders, ({ step, actor, body }) => previewImport(step, actor, 'providers', body))
    bind.inSteps(imports.importLimits, ({ step, actor, body }) => runImport(step, actor, 'limits', body))
    bind.inSteps(imports.previewLimits, ({ step, actor, body }) => previewImport(step, actor, 'limits', body))
    bind(imports.undoImport, ({ db, actor, query, body }) => {
      const code = query.hash_import ?? body.hash_import
      if (code === undefined) throw invalid({ hash_import: NO_IMPORT_CODE })
      return undoImport(db, actor, code)
    })
    bind(imports.currentImport, ({ db, actor, query }) => currentImport(db, actor, query.user_id))
    bind(imports.listImports, ({ db, actor, query }) => listImports(db, actor, query))
    bind(imports.downloadExample, ({ db, actor, query }) => exampleFile(db, actor, query.type))
  },
}
