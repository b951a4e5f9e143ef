/** The API reference: a component that reads the service's own document. */
import 'rapidoc'
