"""The checks that fastjsonschema generated from our schemas, a module each."""
