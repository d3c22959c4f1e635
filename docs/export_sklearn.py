"""Writes a model of scikit-learn as the JSON that facet reads: python docs/export_sklearn.py model.joblib model.json

In a clone this is the module examples/python/facet_robust/export_sklearn.py, which needs nothing but scikit-learn; elsewhere it is
the one of the installed package: pip install facet-robust.
"""
import importlib.util
import os
import sys

BESIDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "python", "facet_robust", "export_sklearn.py")
if os.path.exists(BESIDE):
    spec = importlib.util.spec_from_file_location("export_sklearn", BESIDE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
else:
    try:
        from facet_robust import export_sklearn as module
    except ImportError:
        sys.exit("export_sklearn.py: pip install facet-robust first, which has the exporter")

if __name__ == "__main__":
    module.main(sys.argv[1:])
else:
    sys.modules[__name__] = module
